"""The style of charts: one typeface, thin grey axes, and colours that colour-blind people can tell apart.

The palette is that of Okabe and Ito (2008) without its yellow, which vanishes on white. In dark mode the page
turns exactly these colours into lighter ones (templates/charts.css), so each is named here once and used
unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from unicodedata import east_asian_width

from assay.reporting.report.charts.chart import Spec

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


def colour(treatments: Sequence[str], *, legend: bool = True, width: int = WIDTH) -> Spec:
    """Returns the colour channel by treatment, in the study's order. A single treatment needs no legend."""
    scale = {"domain": list(treatments), "range": cycled(SERIES, len(treatments))}
    return {
        "field": "treatment",
        "type": "nominal",
        "scale": scale,
        "legend": _legend(treatments, width) if legend and len(treatments) > 1 else None,
    }


def shape(treatments: Sequence[str], *, legend: bool = True, width: int = WIDTH) -> Spec:
    """Returns the shape channel by treatment, a second mark beside the colour. It merges with the legend of
    `colour`.
    """
    scale = {"domain": list(treatments), "range": cycled(SHAPES, len(treatments))}
    return {
        "field": "treatment",
        "type": "nominal",
        "scale": scale,
        "legend": _legend(treatments, width) if legend and len(treatments) > 1 else None,
    }


def dash(treatments: Sequence[str]) -> Spec:
    """Returns the dash channel, used once all colours have been used."""
    rounds = [DASHES[(index // len(SERIES)) % len(DASHES)] for index in range(len(treatments))]
    return {
        "field": "treatment",
        "type": "nominal",
        "scale": {"domain": list(treatments), "range": rounds},
        "legend": None,
    }


def broken(name: str, width: int) -> list[str]:
    """Returns a treatment's name in lines that fit `width` pixels, broken after commas and underscores."""
    room, lines = max(8, width // 8), [""]
    for piece in re.findall(r"[^,_ ]*[,_ ]*", name):
        if lines[-1] and len(lines[-1]) + len(piece) > room:
            lines.append("")
        lines[-1] += piece
    return lines


def pixels(text: str) -> int:
    """Returns an upper bound of an axis label's width in pixels; a Chinese character is as wide as two
    letters.
    """
    return sum(13 if east_asian_width(letter) in "WF" else 7 for letter in text)


def _legend(treatments: Sequence[str], width: int) -> Spec:
    """Returns a legend above the plot, in as many columns as the names leave room for."""
    longest = max(map(pixels, treatments))
    columns = max(1, min(len(treatments), width // (longest + 36)))
    return {
        "orient": "top",
        "title": None,
        "columns": columns,
        "direction": "horizontal",
        "columnPadding": 18,
    }


def cycled(items: Sequence[str], count: int) -> list[str]:
    return [items[index % len(items)] for index in range(count)]
