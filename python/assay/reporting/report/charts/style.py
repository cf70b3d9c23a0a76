"""The style of charts: one typeface, thin grey axes, and colours that colour-blind people can tell apart.

The palette is that of Okabe and Ito (2008) without its yellow, which vanishes on white. In dark mode the page
turns exactly these colours into lighter ones (templates/charts.css), so each is named here once and used
unchanged.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from assay.reporting.report.charts.chart import Spec
from assay.reporting.report.text_width import pixels as pixels

INK = "#27303a"
MUTED = "#5c6773"
AXIS = "#aab2bb"
GRID = "#e4e8ec"
SHADE = "#eceff2"
PAPER = "#ffffff"
SERIES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a4fbf", "#6b7280")
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")
DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3])
VERDICTS = {
    "better": "#0072b2",
    "worse": "#d55e00",
    "same": "#009e73",
    "more": "#6b7280",
    "less": "#6b7280",
    "undecided": "#6b7280",
    "estimate-only": "#6b7280",
    "worth-a-study": "#0072b2",
}
PARTS = {
    "user": "#0072b2",
    "system": "#56b4e9",
    "iowait": "#e69f00",
    "steal": "#d55e00",
    "read": "#0072b2",
    "written": "#e69f00",
}
# What the page makes of these colours in dark mode. Files on disk keep the light ones, on white paper.
DARK = {
    INK: "#e6e9ed",
    MUTED: "#a3adb8",
    AXIS: "#5d6874",
    GRID: "#313a44",
    SHADE: "#2a323b",
    PAPER: "none",
    "#0072b2": "#4fa9e3",
    "#d55e00": "#f08a3c",
    "#009e73": "#35c39a",
    "#cc79a7": "#dd9cc2",
    "#e69f00": "#edb640",
    "#56b4e9": "#86cbf2",
    "#7a4fbf": "#a98ae0",
    "#6b7280": "#a0a8b4",
}
FONT = (
    "Inter, Segoe UI, Helvetica Neue, Arial, PingFang SC, Microsoft YaHei, Noto Sans CJK SC,"
    " DejaVu Sans, sans-serif"
)
WIDTH = 780  # of a plot that fills the page
LINE = 16  # pixels from line to line of a title

SHARED: Spec = {"scale": {"color": "shared", "shape": "shared", "strokeDash": "shared"}}
"""How panels share one legend, which else stands over the first of them and lifts its title."""
FROM_ZERO: Spec = {"calculate": "max(datum.low, 0)", "as": "from"}
"""The lower end of an interval of what cannot be negative."""

CONFIG: Spec = {
    "background": PAPER,
    "font": FONT,
    "aria": False,  # the figure carries one label; its numbers stand in the tables
    "view": {"stroke": None},
    "axis": {
        "labelColor": MUTED,
        "titleColor": INK,
        "titleFontWeight": "normal",
        "labelFontSize": 11,
        "titleFontSize": 12,
        "titlePadding": 8,
        "gridColor": GRID,
        "domainColor": AXIS,
        "tickColor": AXIS,
        "labelLimit": 0,  # a name that is cut tells nothing; `broken` makes lines of it
        "labelOverlap": "greedy",
        "labelSeparation": 4,
    },
    "axisY": {"domain": False, "ticks": False, "labelPadding": 6},
    "legend": {
        "labelColor": INK,
        "titleColor": INK,
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "labelLimit": 0,
        "titleLimit": 0,
        "symbolSize": 80,
        "symbolStrokeWidth": 2,
        "symbolOpacity": 1,
    },
    "header": {
        "labelColor": INK,
        "titleColor": INK,
        "labelFontSize": 12,
        "labelFontWeight": "bold",
        "labelLimit": 400,
    },
    "title": {
        "color": INK,
        "fontSize": 13,
        "fontWeight": "bold",
        "anchor": "start",
        "frame": "group",
        "offset": 8,
    },
}


def colour(names: Sequence[str], *, legend: bool = True, width: int = WIDTH, title: str = "") -> Spec:
    """Returns the colour channel by treatment, in the study's order. A single treatment needs no legend."""
    scale = {"domain": list(names), "range": cycled(SERIES, len(names))}
    return {
        "field": "treatment",
        "type": "nominal",
        "scale": scale,
        "legend": _legend(names, width, title) if legend and len(names) > 1 else None,
    }


def shape(names: Sequence[str], *, legend: bool = True, width: int = WIDTH, title: str = "") -> Spec:
    """Returns the shape channel by treatment, a second mark beside the colour. It merges with the legend of
    `colour`.
    """
    scale = {"domain": list(names), "range": cycled(SHAPES, len(names))}
    return {
        "field": "treatment",
        "type": "nominal",
        "scale": scale,
        "legend": _legend(names, width, title) if legend and len(names) > 1 else None,
    }


def dash(names: Sequence[str]) -> Spec:
    """Returns the dash channel, used once all colours have been used."""
    rounds = [DASHES[(index // len(SERIES)) % len(DASHES)] for index in range(len(names))]
    return {
        "field": "treatment",
        "type": "nominal",
        "scale": {"domain": list(names), "range": rounds},
        "legend": None,
    }


def written(
    lines: Sequence[str],
    *,
    x: float = 0,
    y: float = -8,
    colour: str = INK,
    weight: str = "bold",
    size: float = 13,
) -> Spec:
    """Returns a layer with lines of text, the last of which stands on `y`, in pixels from the top of a plot.

    Titles of panels are written so: Vega places a title above the labels of an axis, so that those of panels
    with and without labels stand at two heights.
    """
    return {
        "data": {"values": [{}]},
        "mark": {
            "type": "text",
            "text": list(lines),
            "align": "left",
            "baseline": "alphabetic",
            "lineHeight": LINE,
            "fontSize": size,
            "fontWeight": weight,
        },
        "encoding": {  # of its own, or those of the plot would move it
            "x": {"value": x},
            "y": {"value": y - LINE * (len(lines) - 1)},
            "color": {"value": colour},
        },
    }


def broken(name: str, width: int) -> list[str]:
    """Returns a name in lines that fit `width` pixels: broken after spaces, where these are too far apart
    after underscores and signs, and anywhere where nothing else helps.
    """
    lines = [""]
    for word in re.findall(r"[^ ]* *", name):
        wide = pixels(word.rstrip()) > width
        for piece in _pieces(word, width) if wide else [word]:
            if lines[-1] and pixels((lines[-1] + piece).rstrip()) > width:
                lines.append("")
            lines[-1] += piece
    return lines


def title_lines(titles: Sequence[str], width: int) -> list[list[str]]:
    """Returns titles of panels in lines that fit `width` pixels in bold letters, as many lines each, so that
    all of them begin at one height.
    """
    lines = [broken(title, width * 7 // 8) for title in titles]
    most = max(map(len, lines), default=0)
    return [[*one, *[""] * (most - len(one))] for one in lines]


def rows_axis(names: Sequence[str], width: int, title: str = "", *, shown: bool = True) -> Spec:
    """Returns the axis of rows with these names, each in lines that fit `width` pixels, under a title."""
    lines = {name: broken(name, width) for name in names}
    tall = max(map(len, lines.values()), default=1)
    return {
        "labels": shown,
        "ticks": False,
        "labelLimit": 0,
        "labelOverlap": False,  # each name is the key of its row
        "labelExpr": f"{json.dumps(lines)}[datum.label]",
        "labelOffset": -6 * (tall - 1),
        **heading(title if shown else "", width),
    }


def heading(title: str, width: int) -> Spec:
    """Returns the title of an axis of rows, above their names; none for an empty one."""
    if not title:
        return {"title": None}
    lines = broken(title, width)
    return {
        "title": lines,
        "titleAngle": 0,
        "titleAlign": "right",
        "titleBaseline": "alphabetic",
        "titleLineHeight": 13,
        "titleX": -8,
        "titleY": -8 - 13 * (len(lines) - 1),
        "titleFontSize": 11,
        "titleColor": MUTED,
    }


def row_height(names: Sequence[str], width: int) -> int:
    """Returns the pixels of a row whose name may have several lines."""
    return 13 * max((len(broken(name, width)) for name in names), default=1) + 9


def _pieces(word: str, width: int) -> Iterator[str]:
    for piece in re.findall(r"[^,_ =/]*[,_ =/]*", word):
        while pixels(piece.rstrip()) > width:
            fit = next(at for at in range(len(piece), 0, -1) if at == 1 or pixels(piece[:at]) <= width)
            yield piece[:fit]
            piece = piece[fit:]
        yield piece


def _legend(names: Sequence[str], width: int, title: str) -> Spec:
    """Returns a legend above the plot, in as many columns as the names leave room for."""
    longest = max(map(pixels, names))
    columns = max(1, min(len(names), width // (longest + 36)))
    return {
        "orient": "top",
        "title": title or None,
        "columns": columns,
        "direction": "horizontal",
        "columnPadding": 18,
    }


def cycled(items: Sequence[str], count: int) -> list[str]:
    return [items[index % len(items)] for index in range(count)]
