"""Draws the latency that one operation in N exceeds at one load point, with a line for each run."""

from __future__ import annotations

from collections.abc import Sequence

from assay.reporting.report.charts import limits, style
from assay.reporting.report.charts.axes import figures, log_scale
from assay.reporting.report.charts.captions import caption
from assay.reporting.report.charts.chart import Chart, Spec, values
from assay.reporting.report.material import Material
from assay.reporting.report.records.distribution import RunQuantile, run_spectra
from assay.reporting.report.records.limits import level_limits

HEIGHT = 260


def draw_load(material: Material, treatment: str, load: float, run_id: str | None = None) -> Chart | None:
    """Returns the runs of a treatment at a load point as lines of their own; with `run_id` that run before
    the others, which are grey. None where no operation was timed.
    """
    words = material.words
    points = run_spectra(material, treatment, load)
    if not points or (run_id is not None and all(point.run_id != run_id for point in points)):
        return None
    runs = list(dict.fromkeys(point.run_id for point in points))
    seen = [point.ms for point in points]
    every = level_limits(material, list(limits.PERCENTILES), treatment=treatment, load=load)
    held = limits.within_reach(every, seen, from_zero=False)
    scale, ticks = log_scale([*seen, *(one.value for one in held)])
    highest = max(point.one_in for point in points)
    x: Spec = {
        "field": "one_in",
        "type": "quantitative",
        "scale": {"type": "log", "domain": [1, highest], "nice": False},
        "axis": figures(
            words("chart.one-in"), values=[10**power for power in range(8) if 10**power <= highest * 1.01]
        ),
    }
    y: Spec = {
        "field": "ms",
        "type": "quantitative",
        "scale": scale,
        "axis": figures(words("chart.latency-axis"), values=ticks),
    }
    if run_id is None:
        layers = [_lines(points, x, y, _by_run(runs))]
        parts = {"run-lines": True}
    else:
        others = [point for point in points if point.run_id != run_id]
        this = [point for point in points if point.run_id == run_id]
        grey, blue = ({"color": {"value": colour}} for colour in (style.AXIS, style.SERIES[0]))
        layers = [_lines(others, x, y, grey, width=1), _lines(this, x, y, blue, width=2)]
        parts = {"this-run": True, "other-runs": bool(others)}
    layers += limits.objectives(held, x, y, words)
    spec: Spec = {"width": style.WIDTH, "height": HEIGHT, "layer": layers}
    said, method = caption(words, parts, limits.caption(held, every, words)), words("chart.quantiles-method")
    return Chart("", "quantiles", words("chart.quantiles"), said, spec, points, method=method)


def _lines(points: Sequence[RunQuantile], x: Spec, y: Spec, colour: Spec, *, width: float = 1.5) -> Spec:
    rows = [{"one_in": point.one_in, "ms": point.ms, "treatment": point.run_id} for point in points]
    return {
        "data": values(rows),
        "mark": {"type": "line", "strokeWidth": width, "interpolate": "step-after"},
        "encoding": {"x": x, "y": y, "detail": {"field": "treatment", "type": "nominal"}, **colour},
    }


def _by_run(runs: Sequence[str]) -> Spec:
    """Returns channels that tell runs apart: their colour, and their dashes once all colours were used."""
    return {"color": style.colour(runs), "strokeDash": style.dash(runs)}
