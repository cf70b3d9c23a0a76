"""Draws what one operation costs (processor time, reads, writes, flushes), one small panel for each cost."""

from __future__ import annotations

from assay.reporting.report.charts.bars import bars, parts_of
from assay.reporting.report.charts.captions import caption
from assay.reporting.report.charts.chart import Chart
from assay.reporting.report.material import Material
from assay.reporting.report.records.costs import costs, headline


def draw(material: Material) -> Chart | None:
    """Returns the chart of costs: one bar for each treatment and cost, at the highest load."""
    words, load = material.words, max(material.results.loads, default=None)
    if load is None:
        return None
    reasons = [reason for one in material.results.differing for reason in one.reasons]
    found = headline(costs(material), load, reasons)
    if not found:
        return None
    parts = {"at-load": True, **parts_of(found, material.results.blocks_complete)}
    said = caption(words, parts, load=material.load_words(load))
    return Chart("costs", "costs", words("chart.costs"), said, bars(material, found), found)
