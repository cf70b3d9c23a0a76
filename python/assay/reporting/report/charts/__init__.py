"""Draws the charts of the report: one file and one line here for each. docs/adding/chart.md shows how to add
one.
"""

from __future__ import annotations

from collections.abc import Callable

from assay.reporting.report.charts import (
    answer,
    costs,
    distribution,
    experiment,
    flame,
    forest,
    heat,
    latency,
    ledger,
    order,
    paired,
    quantiles,
    ridge,
    spread,
    throughput,
    timeline,
    tornado,
    trade,
    waits,
    why,
)
from assay.reporting.report.charts.chart import Chart
from assay.reporting.report.charts.sentences import told
from assay.reporting.report.material import Material

CHARTS: tuple[Callable[[Material], Chart | None], ...] = (
    ledger.draw_time,
    ledger.draw,
    why.draw,
    flame.draw,
    experiment.draw,
    throughput.draw,
    latency.draw,
    trade.draw,
    waits.draw,
    forest.draw,
    paired.draw,
    tornado.draw,
    distribution.draw,
    ridge.draw,
    heat.draw,
    timeline.draw,
    spread.draw,
    timeline.draw_machine,
    costs.draw,
    order.draw,
)


def build_charts(material: Material) -> list[Chart]:
    """Returns every chart that there is data for, in the order of the page."""
    screens = material.results.screening is not None
    first = answer.draw(material)
    return [
        *([told(material, first, folded=False)] if first is not None else []),
        *_of_sections(material, screens),
    ]


def _of_sections(material: Material, screens: bool) -> list[Chart]:
    return [
        told(part, chart, folded=screens)
        for draw in CHARTS
        for part in material.few_parts()
        if (chart := draw(part)) is not None
    ]


def heat_of_run(material: Material, treatment: str, load: float, block: int) -> Chart | None:
    """Returns the latencies of one load point of one run, with their sentence; None where there are none."""
    chart = heat.draw_run(material, treatment, load, block)
    return None if chart is None else told(material, chart, folded=False)


def quantiles_of_runs(
    material: Material, treatment: str, load: float, run_id: str | None = None
) -> Chart | None:
    """Returns the latency by tail of each run of a treatment at a load point, with their sentence; with
    `run_id` that run before the others. None where nothing was timed.
    """
    chart = quantiles.draw_load(material, treatment, load, run_id)
    return None if chart is None else told(material, chart, folded=False)
