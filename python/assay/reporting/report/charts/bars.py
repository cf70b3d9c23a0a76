"""Draws bars by treatment, one small panel a measure, each on its own scale from zero."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from assay.reporting.report.charts import style
from assay.reporting.report.charts.axes import figures
from assay.reporting.report.charts.chart import Spec, values
from assay.reporting.report.material import Material

COLUMNS = 3


class Bar(Protocol):
    """A dataclass with a value for a treatment; `low` and `high` are None where no interval is known."""

    @property
    def measure(self) -> str: ...
    @property
    def unit(self) -> str: ...
    @property
    def treatment(self) -> str: ...
    @property
    def value(self) -> float: ...


def bars(material: Material, found: Sequence[Bar]) -> Spec:
    """Returns the panels, three to a row where the treatments' names leave room."""
    words, treatments = material.words, list(material.results.treatments)
    measures = list(dict.fromkeys(bar.measure for bar in found))
    labels = min(max(map(style.pixels, treatments)), 220)
    columns = min(COLUMNS, len(measures), max(1, (style.WIDTH + 60) // (labels + 190)))
    width = (style.WIDTH + 60 - columns * (labels + 24)) // columns
    panels: list[Spec] = []
    for measure in measures:
        rows = [vars(bar) for bar in found if bar.measure == measure]
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
    return {"concat": panels, "columns": columns, "spacing": 26}
