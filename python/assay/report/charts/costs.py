"""What one operation cost, one small panel a measure."""

from __future__ import annotations

from dataclasses import asdict

from assay.report.charts import style
from assay.report.charts.axes import figures
from assay.report.charts.chart import Chart, Spec, values
from assay.report.material import Material
from assay.report.records.costs import costs, headline

COLUMNS = 3


def draw(material: Material) -> Chart | None:
    """Bars by treatment at the highest rung, each measure on its own scale from zero."""
    words, load = material.words, max(material.results.loads, default=None)
    if load is None:
        return None
    found = headline(costs(material), load)
    if not found:
        return None
    treatments = list(material.results.treatments)
    measures = list(dict.fromkeys(cost.measure for cost in found))
    longest = max(len(treatment) for treatment in treatments)
    labels = min(7 * longest, 220)
    columns = min(COLUMNS, len(measures), max(1, (style.WIDTH + 60) // (labels + 190)))
    width = (style.WIDTH + 60 - columns * (labels + 24)) // columns
    panels: list[Spec] = []
    for measure in measures:
        rows = [asdict(cost) for cost in found if cost.measure == measure]
        unit = words.unit(rows[0]["unit"])
        y: Spec = {
            "field": "treatment",
            "type": "nominal",
            "sort": treatments,
            "scale": {"domain": treatments, "padding": 0.3},
            "axis": {"title": None, "labelLimit": labels},
        }
        x: Spec = {
            "type": "quantitative",
            "scale": {"zero": True},
            "axis": figures(unit or None, tickCount=4),
        }
        title = {"text": words.measure(measure), "limit": width + labels, "fontSize": 12, "frame": "bounds"}
        panels.append(
            {
                "title": title,
                "data": values(rows),
                "width": width,
                "height": {"step": 24},
                "encoding": {"y": y, "color": style.colour(treatments, legend=False)},
                "layer": [
                    {"mark": {"type": "bar", "opacity": 0.85}, "encoding": {"x": {**x, "field": "value"}}},
                    {
                        "mark": {"type": "rule", "strokeWidth": 1.5, "color": style.INK},
                        "encoding": {
                            "x": {**x, "field": "low"},
                            "x2": {"field": "high"},
                            "color": {"value": style.INK},
                        },
                        "transform": [{"filter": "isValid(datum.low)"}],
                    },
                ],
            }
        )
    caption = words("chart.costs-caption", load=material.load_words(load))
    spec = {"concat": panels, "columns": columns, "spacing": 26}
    return Chart("costs", "costs", words("chart.costs"), caption, spec, found)
