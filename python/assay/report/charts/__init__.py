"""Draws the charts of the report: one file and one line here for each. docs/adding/chart.md shows how to add
one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from assay.report.charts import (
    costs,
    distribution,
    experiment,
    forest,
    latency,
    order,
    throughput,
    timeline,
    tornado,
    trade,
)
from assay.report.charts.chart import Chart
from assay.report.material import Material

CHARTS: tuple[Callable[[Material], Chart | None], ...] = (
    experiment.draw,
    throughput.draw,
    latency.draw,
    trade.draw,
    forest.draw,
    tornado.draw,
    distribution.draw,
    timeline.draw,
    timeline.draw_machine,
    costs.draw,
    order.draw,
)


def build_charts(material: Material) -> list[Chart]:
    """Returns every chart that there is data for, in the order of the page."""
    parts, screens = material.few_parts(), material.results.screening is not None
    return [
        replace(
            chart,
            name=part.name(chart.name),
            title=part.title(chart.title),
            # Of a screen the rows of the design come after what the factors do.
            folded=chart.folded or (screens and chart.name != "tornado"),
        )
        for draw in CHARTS
        for part in parts
        if (chart := draw(part)) is not None
    ]
