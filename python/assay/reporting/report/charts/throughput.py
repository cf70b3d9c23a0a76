"""Draws throughput against the load."""

from __future__ import annotations

from assay.reporting.report.charts import limits, style
from assay.reporting.report.charts.chart import Chart
from assay.reporting.report.charts.curves import curves, cut_off, treatments_far_apart
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
    spec = curves(
        material,
        points,
        blocks(material, measure),
        words.with_unit(words.measure(measure), words.unit("1/s")),
        size=(style.WIDTH, 320),
        log=log,
        held=held,
    )
    said = [words("chart.throughput-caption")]
    if cut_off(points):
        said.append(words("chart.cut-off"))
    if every:
        said.append(limits.caption(held, every, words))
    return Chart("results", "throughput", words("chart.throughput"), words.sentences(said), spec, points)
