"""Draws throughput against the load."""

from __future__ import annotations

from assay.reporting.report.charts import limits
from assay.reporting.report.charts.captions import caption
from assay.reporting.report.charts.chart import Chart
from assay.reporting.report.charts.curves import Curves, curves, parts_of, treatments_far_apart, width_for
from assay.reporting.report.material import Material
from assay.reporting.report.records.curves import blocks, curve
from assay.reporting.report.records.limits import level_limits


def draw(material: Material) -> Chart | None:
    """Returns throughput (tps; on storage IOPS or pages) by threads or rate, one line a treatment."""
    measure, words = material.throughput, material.words
    points = curve(material, measure)
    if not points:
        return None
    every, log = level_limits(material, [measure]), treatments_far_apart(points)
    held = limits.within_reach(every, [point.value for point in points], from_zero=not log)
    single = blocks(material, measure)
    title = words.with_unit(words.measure(measure), words.unit("1/s"))
    drawn = Curves(points, single, title, held=held, log=log)
    spec = curves(material, drawn, size=(width_for(material, 1, 0), 320))
    said = caption(words, parts_of(material, points, single), limits.caption(held, every, words))
    return Chart("results", "throughput", words("chart.throughput"), said, spec, points)
