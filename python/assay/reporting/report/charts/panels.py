"""Draws any table as small charts: panels with lines along a numeric axis, or with bars."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from assay.reporting.report.charts import style
from assay.reporting.report.charts.axes import figures, level_scale, log_scale
from assay.reporting.report.charts.chart import Spec, values

COLUMNS = 2
_FEWEST_FOR_LINES = 3
_LOG_X = 16.0  # a ladder that grows so many times doubles rather than counts
_STEP = 4.0  # pixels between series at a level
_EDGE = 14.0  # pixels before the first and after the last level
_LOG_Y = 30.0  # series so far apart would lie on the axis


@dataclass(frozen=True)
class PanelPoint:
    """One value of a table. `x` is a level as the study writes it; `low`, `high` are None without an
    interval.
    """

    panel: str
    series: str
    x: str
    value: float
    low: float | None = None
    high: float | None = None


def panels(
    points: Sequence[PanelPoint], x_title: str, y_title: str | None = None, *, same_scale: bool = False
) -> Spec:
    """Returns a chart with a panel for each `panel` of the points, two to a row; a single one fills the page.

    `same_scale`: shapes are compared, so all panels have the same axes, the vertical one linear from zero.
    Without a `y_title` only the panel's name is written. Levels keep the order of their first occurrence.
    Raises `ValueError` without points.
    """
    if not points:
        raise ValueError("a chart needs at least one point")
    series = list(dict.fromkeys(point.series for point in points))
    names = list(dict.fromkeys(point.panel for point in points))
    columns = min(COLUMNS, len(names))
    width = style.WIDTH if columns == 1 else style.WIDTH // 2 - 40
    height = 300 if columns == 1 else 220
    titles = style.title_lines(names, width)
    drawn = []
    for name, title in zip(names, titles, strict=True):
        own = [point for point in points if point.panel == name]
        axes = points if same_scale else own
        panel = {
            "title": {"text": title if len(title) > 1 else title[0], "fontSize": 12},
            "width": width,
            "height": height,
        }
        if _along_numbers(axes):
            y = _y(axes, y_title, lines=True, log=not same_scale)
            x = _x(axes, x_title, width, len(series))
            drawn.append({**panel, **_lines(own, series, x, y, width)})
        else:
            levels = list(dict.fromkeys(point.x for point in axes))
            y = _y(axes, y_title, lines=False)
            drawn.append({**panel, **_bars(own, series, levels, x_title, y, width)})
    shared = {"scale": {"color": "shared", "shape": "shared"}}
    room = {"row": 90, "column": 70}
    return {"concat": drawn, "columns": columns, "bounds": "flush", "spacing": room, "resolve": shared}


def _lines(own: Sequence[PanelPoint], series: Sequence[str], x: Spec, y: Spec, width: int) -> Spec:
    """Returns lines; the points of one level stand beside each other, so that none hides another."""
    return {
        "data": values([{**vars(one), **_places(one, series, x, width)} for one in own]),
        "encoding": {"x": x, "color": _by_series(style.colour(series), series)},
        "layer": [
            {
                "mark": {"type": "rule", "strokeWidth": 1.5},
                "encoding": {"y": {**y, "field": "low"}, "y2": {"field": "high"}},
                "transform": [{"filter": "isValid(datum.low)"}],
            },
            {
                "mark": {"type": "line", "strokeWidth": 2},
                "encoding": {"y": y, "strokeDash": _by_series(style.dash(series), series)},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 50, "opacity": 1},
                "encoding": {"y": y, "shape": _by_series(style.shape(series), series)},
            },
        ],
    }


def _places(one: PanelPoint, series: Sequence[str], x: Spec, width: int) -> dict[str, float]:
    """Returns the level of a point as a number, and the place `at` which it stands, a few pixels beside."""
    low, high = x["scale"]["domain"]
    share = (series.index(one.series) - (len(series) - 1) / 2) * _STEP / width
    if x["scale"]["type"] == "log":
        return {"x": float(one.x), "at": float(one.x) * (high / low) ** share}
    return {"x": float(one.x), "at": float(one.x) + share * (high - low)}


def _bars(
    own: Sequence[PanelPoint],
    series: Sequence[str],
    levels: Sequence[str],
    x_title: str,
    y: Spec,
    width: int,
) -> Spec:
    lines = {level: style.broken(level, max(20, width // len(levels) - 6)) for level in levels}
    x = {
        "field": "x",
        "type": "nominal",
        "sort": list(levels),
        "scale": {"domain": list(levels), "padding": 0.3},
        "axis": {
            "title": x_title,
            "labelAngle": 0,
            "labelOverlap": False,
            "labelExpr": f"{json.dumps(lines)}[datum.label]",
        },
    }
    beside: Spec = {"xOffset": {"field": "series", "sort": list(series)}} if len(series) > 1 else {}
    return {
        "data": values([vars(one) for one in own]),
        "encoding": {"x": x, "color": _by_series(style.colour(series), series), **beside},
        "layer": [
            {"mark": {"type": "bar", "opacity": 0.85}, "encoding": {"y": y}},
            {
                "mark": {"type": "rule", "strokeWidth": 1.5, "color": style.INK},
                "encoding": {
                    "y": {**y, "field": "low"},
                    "y2": {"field": "high"},
                    "color": {"value": style.INK},
                },
                "transform": [{"filter": "isValid(datum.low)"}],
            },
        ],
    }


def _by_series(channel: Spec, series: Sequence[str]) -> Spec:
    """Returns a channel that tells series apart; a single series needs none."""
    return {**channel, "field": "series", "scale": {**channel["scale"], "domain": list(series)}}


def _x(points: Sequence[PanelPoint], title: str, width: int, series: int) -> Spec:
    """Returns the horizontal channel, with room at both edges for so many series."""
    ladder = sorted({float(point.x) for point in points})
    axis = {"title": title, "values": ladder, "grid": False, "format": "~r" if ladder[-1] < 1e5 else "~s"}
    edge = (_EDGE + _STEP * (series - 1) / 2) / (width - 2 * _EDGE - _STEP * (series - 1))
    if ladder[0] > 0 and ladder[-1] / ladder[0] >= _LOG_X:
        room = (ladder[-1] / ladder[0]) ** edge
        scale: Spec = {
            "type": "log",
            "base": 2,
            "domain": [ladder[0] / room, ladder[-1] * room],
            "nice": False,
        }
    else:
        by = (ladder[-1] - ladder[0]) * edge
        scale = {"type": "linear", "domain": [ladder[0] - by, ladder[-1] + by], "zero": False, "nice": False}
    return {"field": "at", "type": "quantitative", "scale": scale, "axis": axis}


def _y(points: Sequence[PanelPoint], title: str | None, *, lines: bool, log: bool = False) -> Spec:
    """Returns the vertical channel. Bars begin at zero, so only lines may have a logarithmic scale."""
    seen = [point.value for point in points]
    y: Spec = {"field": "value", "type": "quantitative"}
    if log and min(seen) > 0 and _are_far_apart(points):
        scale, ticks = log_scale(seen)
        return {**y, "scale": {**scale, "clamp": True}, "axis": figures(title, values=ticks)}
    if not lines or min(seen) < 0:
        return {**y, "scale": {"zero": True}, "axis": figures(title, tickCount=6)}
    scale, ticks = level_scale([*seen, *(point.high for point in points if point.high is not None)])
    return {**y, "scale": scale, "axis": figures(title, values=ticks)}


def _are_far_apart(points: Sequence[PanelPoint]) -> bool:
    """Returns whether series differ so much at any one level that small values would lie on the axis."""
    for panel, x in {(point.panel, point.x) for point in points}:
        seen = [point.value for point in points if (point.panel, point.x) == (panel, x)]
        if max(seen) / min(seen) > _LOG_Y:
            return True
    return False


def _along_numbers(own: Sequence[PanelPoint]) -> bool:
    levels = {point.x for point in own}
    return len(levels) >= _FEWEST_FOR_LINES and all(_is_number(level) for level in levels)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
