"""Draws a history: a panel for each series, its values with intervals, levels between changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assay.experiments.history.changes import Change
from assay.experiments.history.full_history import History
from assay.experiments.history.series import Series
from assay.reporting.report import Chart, style, to_svg

_MOST_PANELS = 12
Spec = dict[str, Any]


def picture(history: History, *, from_zero: bool = False) -> str:
    """Returns the history as an SVG document: the first twelve series, those with changes first.

    The vertical axis begins at zero only with `from_zero`. The band beside the level is the smallest change
    that counts, so that noise looks like noise. A series of one build has no panel.
    """
    changes = [change for shift in history.shifts for change in shift.changes]
    drawn = [one for one in history.series if len(one.points) > 1]
    drawn.sort(key=lambda one: all(change.series is not one for change in changes))
    panels = [
        _panel(one, [change for change in changes if change.series is one], from_zero=from_zero)
        for one in drawn[:_MOST_PANELS]
    ]
    spec = {"vconcat": panels or [{"data": {"values": []}, "mark": "point"}]}
    return to_svg(Chart("history", "history", "", "", spec, ()))


def _panel(one: Series, changes: Sequence[Change], *, from_zero: bool) -> Spec:
    builds = [point.build for point in one.points]
    rows = [
        {"build": point.build, "value": point.value, "low": point.low, "high": point.high}
        for point in one.points
    ]
    x = {"field": "build", "type": "ordinal", "sort": builds, "axis": {"title": None, "labelAngle": -45}}
    scale = {"zero": from_zero}
    y = {"field": "value", "type": "quantitative", "scale": scale, "axis": {"title": _axis(one)}}
    return {
        "width": style.WIDTH,
        "height": 160,
        "title": {"text": title_of(one), "anchor": "start", "fontSize": 12, "fontWeight": "normal"},
        "layer": [
            {
                "data": {"values": _levels(one, changes)},
                "mark": {"type": "bar", "color": style.SHADE, "width": {"band": 1}},
                "encoding": {"x": x, "y": {**y, "field": "low"}, "y2": {"field": "high"}},
            },
            {
                "data": {"values": rows},
                "mark": {"type": "rule", "color": style.MUTED},
                "encoding": {"x": x, "y": {**y, "field": "low"}, "y2": {"field": "high"}},
            },
            {
                "data": {"values": rows},
                "mark": {"type": "point", "filled": True, "size": 40, "color": style.SERIES[0], "opacity": 1},
                "encoding": {"x": x, "y": y},
            },
            {
                "data": {"values": [_mark(change) for change in changes]},
                "mark": {"type": "text", "dy": -12, "color": style.INK, "fontSize": 11},
                "encoding": {"x": x, "y": y, "text": {"field": "said"}},
            },
        ],
    }


def title_of(one: Series) -> str:
    """Returns the title of a series: `tps, WORKLOAD, 64 threads, default; 2 x Xeon, 8 GiB`."""
    where = one.where
    return f"{one.measure}, {where.workload}, {where.load_text}, {where.configuration}; {where.host}"


def _axis(one: Series) -> str:
    return f"ratio to {one.canary}" if one.canary else one.unit


def _levels(one: Series, changes: Sequence[Change]) -> list[Spec]:
    """Returns the level of each segment with the smallest change around it, a row a build."""
    firsts = {change.after for change in changes}
    segments: list[list[int]] = [[]]
    for number, point in enumerate(one.points):
        if point.build in firsts:
            segments.append([])
        segments[-1].append(number)
    rows = []
    for segment in segments:
        level = _geometric([one.points[number].value for number in segment])
        rows += [
            {
                "build": one.points[number].build,
                "low": level / (1 + one.least),
                "high": level * (1 + one.least),
            }
            for number in segment
        ]
    return rows


def _geometric(values: Sequence[float]) -> float:
    product = 1.0
    for value in values:
        product *= value ** (1 / len(values))
    return product


def _mark(change: Change) -> Spec:
    point = next(one for one in change.series.points if one.build == change.after)
    return {"build": point.build, "value": point.high or point.value, "said": f"{change.ratio - 1:+.1%}"}
