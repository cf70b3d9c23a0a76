"""Draws tail latency against the load: p95 beside p99 on one scale."""

from __future__ import annotations

from assay.reporting.report.charts import limits, style
from assay.reporting.report.charts.captions import caption
from assay.reporting.report.charts.chart import Chart, Spec
from assay.reporting.report.charts.curves import Curves, curves, far_apart, parts_of, width_for
from assay.reporting.report.material import Material
from assay.reporting.report.records.curves import blocks, curve
from assay.reporting.report.records.limits import level_limits

MEASURES = ("p95_ms", "p99_ms")
BETWEEN = 70


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
    width = style.WIDTH if one_rung else width_for(material, len(measured), BETWEEN)
    panels = [
        curves(
            material,
            Curves(
                points[measure],
                [block for block in single if block.measure == measure],
                words.with_unit(words.measure(measure), "ms"),
                over=[*everything, *single],
                held=[one for one in held if one.measure == measure],
                log=log,
            ),
            size=(width, 300),
            named=measure == measured[-1],
        )
        for measure in measured
    ]
    said = caption(words, parts_of(material, everything, single), limits.caption(held, every, words))
    method = [words("chart.latency-method")]
    if material.closed_loop:
        method.append(words("wide.service-time"))
    spec: Spec = (
        {"vconcat": panels} if one_rung else {"hconcat": panels, "bounds": "flush", "spacing": BETWEEN}
    )
    spec["resolve"] = style.SHARED
    title = words("chart.latency")
    return Chart("results", "latency", title, said, spec, everything, method=words.sentences(method))
