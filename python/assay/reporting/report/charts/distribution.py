"""Draws the latency distribution on a tail axis, on which each step to the right is one more nine."""

from __future__ import annotations

from collections.abc import Sequence

from assay.reporting.report.charts import ends, limits, style
from assay.reporting.report.charts.axes import figures, log_scale
from assay.reporting.report.charts.captions import caption
from assay.reporting.report.charts.chart import Chart, Spec, values
from assay.reporting.report.material import Material
from assay.reporting.report.records.distribution import SpectrumPoint, spectrum
from assay.reporting.report.records.limits import Limit, level_limits
from assay.reporting.report.treatment_labels import labels_of

HEIGHT = 300


def draw(material: Material) -> Chart | None:
    """Returns one panel a load with one curve a treatment; the y axis is shared."""
    return drawn(material, spectrum(material), level_limits(material, list(limits.PERCENTILES)))


def drawn(material: Material, points: Sequence[SpectrumPoint], every: Sequence[Limit] = ()) -> Chart | None:
    """Returns these points of the material's treatments, with limits of percentiles; None without points."""
    words = material.words
    if not points:
        return None
    loads = sorted({point.load for point in points})
    labels = labels_of(material)
    at_ends = ends.have_room(labels)
    width = (style.WIDTH - 34 * (len(loads) - 1) - (ends.room(labels) if at_ends else 0)) // len(loads)
    seen = [point.ms for point in points]
    every = [one for one in every if one.load in loads]
    held = limits.within_reach(every, seen, from_zero=False)
    y_scale, y_ticks = log_scale([*seen, *(one.value for one in held)])
    highest = max(point.one_in for point in points)
    ticks = [10**power for power in range(8) if 10**power <= highest * 1.01]
    panels = []
    for index, load in enumerate(loads):
        x: Spec = {
            "field": "one_in",
            "type": "quantitative",
            "scale": {"type": "log", "domain": [1, highest], "nice": False},
            "axis": figures(words("chart.one-in"), values=ticks),
        }
        y_title = words("chart.latency-axis") if index == 0 else None
        y: Spec = {
            "field": "ms",
            "type": "quantitative",
            "scale": y_scale,
            "axis": figures(y_title, values=y_ticks, labels=index == 0),
        }
        line: Spec = {
            "data": values(labels.rows(point for point in points if point.load == load)),
            "mark": {"type": "line", "strokeWidth": 2, "interpolate": "monotone"},
            "encoding": {
                "x": x,
                "y": y,
                "color": style.colour(labels.names, legend=not at_ends, title=labels.header),
                "strokeDash": style.dash(labels.names),
            },
        }
        layers = [line]
        if at_ends and load == loads[-1]:
            last = {one.treatment: one.ms for one in sorted(points, key=lambda one: (one.load, one.one_in))}
            layers += ends.ends(last, labels, y, width=width, height=HEIGHT)
        layers += limits.objectives([one for one in held if one.load == load], x, y, words)
        title = style.written([material.load_words(load)])
        panels.append({"width": width, "height": HEIGHT, "layer": [*layers, title]})
    said = caption(words, {"exceeds": True}, limits.caption(held, every, words))
    spec = {"hconcat": panels, "spacing": 24, "bounds": "flush", "resolve": style.SHARED}
    return Chart(
        "distribution",
        "distribution",
        words("chart.distribution"),
        said,
        spec,
        points,
        method=words("chart.distribution-method"),
    )
