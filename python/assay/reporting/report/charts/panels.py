"""Draws any table as small charts: panels with lines along a numeric axis, or with bars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assay.reporting.report.charts import style
from assay.reporting.report.charts.axes import figures, log_scale
from assay.reporting.report.charts.chart import Spec, values

COLUMNS = 2
_FEWEST_FOR_LINES = 3
_LOG_X = 16.0  # a ladder that grows so many times doubles rather than counts
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

    `same_scale`: all panels have one vertical axis. Without a `y_title` only the panel's name is written.
    Levels keep the order of their first occurrence. Raises `ValueError` without points.
    """
    if not points:
        raise ValueError("a chart needs at least one point")
    series = list(dict.fromkeys(point.series for point in points))
    names = list(dict.fromkeys(point.panel for point in points))
    columns = min(COLUMNS, len(names))
    width = style.WIDTH if columns == 1 else style.WIDTH // 2 - 40
    height = 300 if columns == 1 else 220
    drawn = []
    for name in names:
        own = [point for point in points if point.panel == name]
        lines = _along_numbers(own)
        y = _y(points if same_scale else own, y_title, log=lines)
        drawn.append(
            {
                "title": {"text": name, "limit": width, "fontSize": 12},
                "data": values([{**vars(one), "x": _number(one.x, own)} for one in own]),
                "width": width,
                "height": height,
                **(_lines if lines else _bars)(own, series, x_title, y),
            }
        )
    shared = {"scale": {"color": "shared", "shape": "shared"}}
    room = {"row": 90, "column": 70}
    return {"concat": drawn, "columns": columns, "bounds": "flush", "spacing": room, "resolve": shared}


def _lines(own: Sequence[PanelPoint], series: Sequence[str], x_title: str, y: Spec) -> Spec:
    return {
        "encoding": {"x": _x(own, x_title), "color": _by_series(style.colour(series), series)},
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


def _bars(own: Sequence[PanelPoint], series: Sequence[str], x_title: str, y: Spec) -> Spec:
    levels = list(dict.fromkeys(point.x for point in own))
    x = {
        "field": "x",
        "type": "nominal",
        "sort": levels,
        "scale": {"padding": 0.3},
        "axis": {"title": x_title, "labelAngle": 0},
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


def _x(own: Sequence[PanelPoint], title: str) -> Spec:
    ladder = sorted({float(point.x) for point in own})
    axis = {"title": title, "values": ladder, "grid": False, "format": "~r" if ladder[-1] < 1e5 else "~s"}
    scale: Spec = {"type": "linear", "zero": False, "nice": False, "padding": 14}
    if ladder[0] > 0 and ladder[-1] / ladder[0] >= _LOG_X:
        domain = [ladder[0] / 1.12, ladder[-1] * 1.12]
        scale = {"type": "log", "base": 2, "domain": domain, "nice": False}
    return {"field": "x", "type": "quantitative", "scale": scale, "axis": axis}


def _y(points: Sequence[PanelPoint], title: str | None, *, log: bool) -> Spec:
    """Returns the vertical channel. Bars begin at zero, so only lines may have a logarithmic scale."""
    seen = [point.value for point in points]
    y: Spec = {"field": "value", "type": "quantitative"}
    if log and min(seen) > 0 and _are_far_apart(points):
        scale, ticks = log_scale(seen)
        return {**y, "scale": {**scale, "clamp": True}, "axis": figures(title, values=ticks)}
    return {**y, "scale": {"zero": True}, "axis": figures(title, tickCount=6)}


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


def _number(x: str, own: Sequence[PanelPoint]) -> float | str:
    return float(x) if _along_numbers(own) else x


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
