"""Draws tail latency against the load: p95 beside p99 on one scale."""

from __future__ import annotations

from assay.reporting.report.charts import limits, style
from assay.reporting.report.charts.chart import Chart, Spec
from assay.reporting.report.charts.curves import curves, cut_off, far_apart
from assay.reporting.report.material import Material
from assay.reporting.report.records.curves import blocks, curve
from assay.reporting.report.records.limits import level_limits

MEASURES = ("p95_ms", "p99_ms")


def draw(material: Material) -> Chart | None:
    """Returns p95 and p99 by threads or rate, one line a treatment."""
    words = material.words
    points = {measure: curve(material, measure) for measure in MEASURES}
    measured = [measure for measure in MEASURES if points[measure]]
    if not measured:
        return None
    single = [block for measure in measured for block in blocks(material, measure)]
    everything = [point for measure in measured for point in points[measure]]
    log, every = far_apart(everything), level_limits(material, measured)
    held = limits.within_reach(every, [point.value for point in everything], from_zero=not log)
    one_rung = len(material.results.loads) == 1
    width = style.WIDTH if one_rung else (style.WIDTH - 70 * (len(measured) - 1)) // len(measured)
    panels = [
        curves(
            material,
            points[measure],
            [block for block in single if block.measure == measure],
            words.with_unit(words.measure(measure), "ms"),
            size=(width, 300),
            over=[*everything, *single],
            log=log,
            legend_width=style.WIDTH if measure == measured[0] else 0,
            held=[one for one in held if one.measure == measure],
        )
        for measure in measured
    ]
    said = [words("chart.latency-caption")]
    if cut_off(everything):
        said.append(words("chart.cut-off"))
    if every:
        said.append(limits.caption(held, every, words))
    if material.closed_loop:
        said.append(words("wide.service-time"))
    spec: Spec = {"vconcat": panels} if one_rung else {"hconcat": panels, "bounds": "flush", "spacing": 70}
    return Chart("results", "latency", words("chart.latency"), words.sentences(said), spec, everything)
