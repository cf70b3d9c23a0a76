"""Draws a measure against the load: mean with interval, single blocks faint, one line a treatment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assay.reporting.report.charts import ends, limits, style
from assay.reporting.report.charts.axes import figures, level_scale, log_scale
from assay.reporting.report.charts.captions import Parts
from assay.reporting.report.charts.chart import Spec, values
from assay.reporting.report.charts.places import load_places
from assay.reporting.report.material import Material
from assay.reporting.report.records.curves import BlockPoint, CurvePoint
from assay.reporting.report.records.limits import Limit
from assay.reporting.report.treatment_labels import Labels, labels_of

BAND_LIMIT = 3  # more bands than this hide each other
SPREAD_FOR_LOG = 30.0
ROOM = 1.6  # an interval of two blocks may reach far: past so many times the mean it is cut off, and said so
LABELS = 300  # pixels of a row's name, which is broken into lines beyond
KNOWN = [{"filter": "isValid(datum.low)"}]


@dataclass(frozen=True)
class Curves:
    """One measure of all treatments. `single` are its blocks; `over` are all points that the axis must show,
    also those of a neighbouring panel; `held` are the limits that are drawn.
    """

    points: Sequence[CurvePoint]
    single: Sequence[BlockPoint]
    title: str
    over: Sequence[CurvePoint | BlockPoint] = ()
    held: Sequence[Limit] = ()
    log: bool = False


def curves(
    material: Material, one: Curves, *, size: tuple[int, int], named: bool = True, legend: bool = True
) -> Spec:
    """Returns the chart of one measure in a plot of this size. `named`: the lines have their names at their
    ends, right of the plot, where there is room; else in a legend of that width, unless `legend` is False.

    With a single rung there is no line to draw, and treatments stand side by side.
    """
    labels = labels_of(material)
    if len(material.results.loads) == 1:
        return _dots(material, one, labels, width=size[0])
    places, names = load_places(material, size[0]), labels.names
    y, drawn = _y(one), parts_of(material, one.points, one.single)
    at_ends = ends.have_room(labels)
    with_legend = legend and not at_ends
    interval = {"y": {**y, "field": "low"}, "y2": {"field": "high"}}
    mean = {"y": {**y, "field": "value"}}
    tick = {"type": "tick", "orient": "horizontal", "thickness": 1, "opacity": 0.45}
    known: Spec = {"encoding": interval, "transform": KNOWN}
    layers: dict[str, Spec] = {
        "bands": {"mark": {"type": "area", "opacity": 0.13, "clip": True}, **known},
        "blocks": {
            "data": values(places.rows(one.single, labels)),
            "mark": {**tick, "size": _tick_size(places.step, len(names))},
            "encoding": mean,
        },
        "line": {
            "mark": {"type": "line", "strokeWidth": 2},
            "encoding": {**mean, "strokeDash": style.dash(names)},
        },
        "intervals": {"mark": {"type": "rule", "strokeWidth": 1.5, "clip": True}, **known},
        "points": {
            "mark": {"type": "point", "filled": True, "size": 55, "opacity": 1},
            "encoding": {
                **mean,
                "shape": style.shape(names, legend=with_legend, title=labels.header),
            },
        },
    }
    shown = [layer for part, layer in layers.items() if drawn.get(part, True)]
    shown += limits.rules(one.held, "y", y, material.words, end=size[0])
    if at_ends and named:
        last = {point.treatment: point.value for point in sorted(one.points, key=lambda point: point.load)}
        shown += ends.ends(last, labels, y, width=size[0], height=size[1])
    return {
        "data": values(places.rows(one.points, labels)),
        "width": size[0],
        "height": size[1],
        "encoding": {
            "x": places.axis,
            "color": style.colour(names, legend=with_legend, title=labels.header),
        },
        "layer": shown,
    }


def width_for(material: Material, panels: int, between: int) -> int:
    """Returns the width of one of so many plots beside each other, with room for the names of their lines."""
    labels = labels_of(material)
    taken = between * (panels - 1)
    if len(material.results.loads) > 1 and ends.have_room(labels):
        taken += ends.room(labels)
    return (style.WIDTH - taken) // panels


def parts_of(material: Material, points: Sequence[CurvePoint], single: Sequence[BlockPoint]) -> Parts:
    """Returns what the charts of these points draw."""
    known = any(point.low is not None for point in points)
    several = len({block.block for block in single}) > 1
    a_line = len(material.results.loads) > 1
    is_cut = a_line and cut_off(points)
    few = len(material.results.treatments) <= BAND_LIMIT
    return {
        "means": several,
        "only-block": not several,
        "intervals": known,
        "bands": known and a_line and few and not is_cut,
        "blocks": several,
        "clipped": is_cut,
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


def _y(one: Curves) -> Spec:
    reach = [end for point in one.over or (*one.points, *one.single) for end in _ends(point)]
    reach += [limit.value for limit in one.held]
    scale, ticks = log_scale(reach) if one.log else level_scale(reach)
    if one.log:
        scale = {**scale, "clamp": True}
    return {"type": "quantitative", "scale": scale, "axis": figures(one.title, values=ticks)}


def _ends(point: CurvePoint | BlockPoint) -> tuple[float, ...]:
    if isinstance(point, BlockPoint):
        return (point.value,)
    return (point.value, point.low or point.value, min(point.high or point.value, ROOM * point.value))


def _tick_size(step: float, count: int) -> float:
    """Returns the length of a block's dash, which does not reach into the next treatment's."""
    return 11.0 if count == 1 else max(2.0, step - 1)


def _dots(material: Material, one: Curves, labels: Labels, *, width: int) -> Spec:
    drawn = parts_of(material, one.points, one.single)
    reach = [end for p in one.points for end in (p.value, p.high or p.value)]
    reach += [block.value for block in one.single] + [limit.value for limit in one.held]
    scale, ticks = level_scale(reach)
    axis: Spec = {**style.rows_axis(labels.names, LABELS, labels.header), "grid": True, "tickBand": "center"}
    y = {"field": "treatment", "type": "nominal", "sort": labels.names, "axis": axis}
    x: Spec = {"type": "quantitative", "scale": scale, "axis": figures(one.title, values=ticks)}
    mean = {"x": {**x, "field": "value"}}
    layers: dict[str, Spec] = {
        "blocks": {
            "data": values(labels.rows(one.single)),
            "mark": {"type": "tick", "orient": "vertical", "size": 13, "thickness": 1, "opacity": 0.45},
            "encoding": mean,
        },
        "intervals": {
            "mark": {"type": "rule", "strokeWidth": 2},
            "encoding": {"x": {**x, "field": "from"}, "x2": {"field": "high"}},
            "transform": [*KNOWN, style.FROM_ZERO],
        },
        "points": {
            "mark": {"type": "point", "filled": True, "size": 70, "opacity": 1},
            "encoding": {**mean, "shape": style.shape(labels.names, legend=False)},
        },
    }
    return {
        "data": values(labels.rows(one.points)),
        "width": width,
        "height": {"step": max(34, style.row_height(labels.names, LABELS))},
        "encoding": {"y": y, "color": style.colour(labels.names, legend=False)},
        "layer": [
            *(layer for part, layer in layers.items() if drawn.get(part, True)),
            *limits.rules(one.held, "x", x, material.words, end=0),
        ],
    }
