"""Draws a measure against the load: mean with interval, single blocks faint, one line a treatment."""

from __future__ import annotations

from collections.abc import Sequence

from assay.reporting.report.charts import limits, style
from assay.reporting.report.charts.axes import figures, load_axis, log_scale
from assay.reporting.report.charts.chart import Spec, values
from assay.reporting.report.material import Material
from assay.reporting.report.records.curves import BlockPoint, CurvePoint
from assay.reporting.report.records.limits import Limit

BAND_LIMIT = 3  # more bands than this hide each other
SPREAD_FOR_LOG = 30.0
ROOM = 1.6  # an interval of two blocks may reach far: past so many times the mean it is cut off, and said so
KNOWN = [{"filter": "isValid(datum.low)"}]


def curves(
    material: Material,
    points: Sequence[CurvePoint],
    single: Sequence[BlockPoint],
    axis_title: str,
    *,
    size: tuple[int, int],
    over: Sequence[CurvePoint | BlockPoint] = (),
    log: bool = False,
    legend_width: int = style.WIDTH,
    held: Sequence[Limit] = (),
) -> Spec:
    """Returns the chart of one measure. `over` holds all points that the y axis must show, also those of a
    neighbouring panel; `held` are the limits that are drawn.

    `legend_width` 0 means no legend. With a single rung there is no line to draw, and treatments stand side
    by side.
    """
    if len(material.results.loads) == 1:
        return _dots(material, points, single, axis_title, width=size[0], held=held)
    treatments = material.results.treatments
    y = _y(axis_title, over or (*points, *single), [one.value for one in held], log=log)
    legend = legend_width > 0
    interval = {"y": {**y, "field": "low"}, "y2": {"field": "high"}}
    mean = {"y": {**y, "field": "value"}}
    layers: list[Spec] = [
        {"mark": {"type": "area", "opacity": 0.13, "clip": True}, "encoding": interval, "transform": KNOWN},
        {
            "data": values([vars(b) for b in single]),
            "mark": {"type": "tick", "orient": "horizontal", "size": 11, "thickness": 1, "opacity": 0.45},
            "encoding": mean,
        },
        {
            "mark": {"type": "line", "strokeWidth": 2},
            "encoding": {**mean, "strokeDash": style.dash(treatments)},
        },
        {
            "mark": {"type": "rule", "strokeWidth": 1.5, "clip": True},
            "encoding": interval,
            "transform": KNOWN,
        },
        {
            "mark": {"type": "point", "filled": True, "size": 55, "opacity": 1},
            "encoding": {**mean, "shape": style.shape(treatments, legend=legend, width=legend_width)},
        },
    ]
    layers += limits.rules(held, "y", y, material.words, end=size[0])
    return {
        "data": values([vars(p) for p in points]),
        "width": size[0],
        "height": size[1],
        "encoding": {
            "x": load_axis(material),
            "color": style.colour(treatments, legend=legend, width=legend_width),
        },
        "layer": layers if len(treatments) <= BAND_LIMIT and not cut_off(points) else layers[1:],
    }


def cut_off(points: Sequence[CurvePoint]) -> bool:
    """Returns True when an interval may extend beyond the plot."""
    return any(p.high is not None and p.high > ROOM * p.value for p in points)


def far_apart(points: Sequence[CurvePoint]) -> bool:
    """Returns True when the values of one chart differ so much that small ones would lie on the axis."""
    seen = [p.value for p in points if p.value > 0]
    return bool(seen) and len(seen) == len(points) and max(seen) / min(seen) > SPREAD_FOR_LOG


def treatments_far_apart(points: Sequence[CurvePoint]) -> bool:
    """Returns whether treatments differ that much at any one load.

    Along the ladder throughput may well rise a hundredfold.
    """
    return any(far_apart([p for p in points if p.load == load]) for load in {p.load for p in points})


def _y(title: str, over: Sequence[CurvePoint | BlockPoint], more: Sequence[float] = (), *, log: bool) -> Spec:
    ends = [end for point in over for end in _ends(point)] + list(more)
    if not log:
        scale = {"domain": [0, max(ends) or 1], "nice": True}
        return {"type": "quantitative", "scale": scale, "axis": figures(title, tickCount=6)}
    scale, ticks = log_scale(ends)
    return {"type": "quantitative", "scale": {**scale, "clamp": True}, "axis": figures(title, values=ticks)}


def _ends(point: CurvePoint | BlockPoint) -> tuple[float, ...]:
    if isinstance(point, BlockPoint):
        return (point.value,)
    return (point.value, point.low or point.value, min(point.high or point.value, ROOM * point.value))


def _dots(
    material: Material,
    points: Sequence[CurvePoint],
    single: Sequence[BlockPoint],
    axis_title: str,
    *,
    width: int,
    held: Sequence[Limit],
) -> Spec:
    treatments = list(material.results.treatments)
    axis = {"title": None, "labelLimit": 320, "grid": True, "tickBand": "center"}
    y = {"field": "treatment", "type": "nominal", "sort": treatments, "axis": axis}
    x: Spec = {"type": "quantitative", "scale": {"zero": True}, "axis": figures(axis_title, tickCount=6)}
    mean = {"x": {**x, "field": "value"}}
    return {
        "data": values([vars(p) for p in points]),
        "width": width,
        "height": {"step": 34},
        "encoding": {"y": y, "color": style.colour(treatments, legend=False)},
        "layer": [
            {
                "data": values([vars(b) for b in single]),
                "mark": {"type": "tick", "orient": "vertical", "size": 13, "thickness": 1, "opacity": 0.45},
                "encoding": mean,
            },
            {
                "mark": {"type": "rule", "strokeWidth": 2},
                "encoding": {"x": {**x, "field": "low"}, "x2": {"field": "high"}},
                "transform": KNOWN,
            },
            {
                "mark": {"type": "point", "filled": True, "size": 70, "opacity": 1},
                "encoding": {**mean, "shape": style.shape(treatments, legend=False)},
            },
            *limits.rules(held, "x", x, material.words, end=0),
        ],
    }
