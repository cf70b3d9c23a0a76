"""Draws the latency distribution on a tail axis, on which each step to the right is one more nine."""

from __future__ import annotations

from dataclasses import asdict

from assay.report.charts import style
from assay.report.charts.axes import figures, log_scale
from assay.report.charts.chart import Chart, values
from assay.report.material import Material
from assay.report.records.distribution import spectrum


def draw(material: Material) -> Chart | None:
    """Returns one panel a load with one curve a treatment; the y axis is shared."""
    points, words = spectrum(material), material.words
    if not points:
        return None
    loads = sorted({point.load for point in points})
    treatments = material.results.treatments
    width = (style.WIDTH - 34 * (len(loads) - 1)) // len(loads)
    y_scale, y_ticks = log_scale([point.ms for point in points])
    highest = max(point.one_in for point in points)
    ticks = [10**power for power in range(8) if 10**power <= highest * 1.01]
    panels = []
    for index, load in enumerate(loads):
        panels.append(
            {
                "title": material.load_words(load),
                "data": values([asdict(point) for point in points if point.load == load]),
                "width": width,
                "height": 300,
                "mark": {"type": "line", "strokeWidth": 2, "interpolate": "monotone"},
                "encoding": {
                    "x": {
                        "field": "one_in",
                        "type": "quantitative",
                        "scale": {"type": "log", "domain": [1, highest], "nice": False},
                        "axis": figures(words("chart.one-in"), values=ticks),
                    },
                    "y": {
                        "field": "ms",
                        "type": "quantitative",
                        "scale": y_scale,
                        "axis": figures(
                            words("chart.latency-axis") if index == 0 else None,
                            values=y_ticks,
                            labels=index == 0,
                        ),
                    },
                    "color": style.colour(treatments, legend=index == 0),
                    "strokeDash": style.dash(treatments),
                },
            }
        )
    spec = {"hconcat": panels, "spacing": 24, "bounds": "flush"}
    return Chart(
        "distribution",
        "distribution",
        words("chart.distribution"),
        words("chart.distribution-caption"),
        spec,
        points,
    )
