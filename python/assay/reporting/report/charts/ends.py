"""Names lines where they end, instead of a legend: the eye need not travel."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from assay.reporting.report.charts import style
from assay.reporting.report.charts.chart import Spec, values
from assay.reporting.report.treatment_labels import Labels

MOST = 4
"""The largest number of lines that have their names at their ends."""
WIDEST = 230
LINE = 15
SYMBOL = 8
GAP = 6


def have_room(labels: Labels) -> bool:
    """Returns whether so many names of this length have room at the ends of lines."""
    return 2 <= len(labels.of) <= MOST and _text(labels) <= WIDEST


def room(labels: Labels) -> int:
    """Returns the pixels right of the plot that the names take."""
    return GAP + 2 * SYMBOL + GAP + _text(labels)


def ends(last: Mapping[str, float], labels: Labels, y: Spec, *, width: int, height: int) -> list[Spec]:
    """Returns the layers of the names right of a plot, each as near as can be to the last value of its line,
    which is given by treatment. The scale of `y` has a domain.
    """
    low, high = y["scale"]["domain"]
    is_log = y["scale"].get("type") == "log"
    names = [name for name in labels.of if name in last]
    wanted = sorted((_pixel(last[name], low, high, height, is_log), name) for name in names)
    shown = _apart([pixel for pixel, _ in wanted], height)
    rows = [
        {"treatment": labels.of[name], "end": _value(pixel, low, high, height, is_log)}
        for (_, name), pixel in zip(wanted, shown, strict=True)
    ]
    place = {**y, "field": "end"}
    layers: list[Spec] = [
        {
            "data": values(rows),
            "mark": {"type": "point", "filled": True, "size": 55, "opacity": 1},
            "encoding": {
                "x": {"value": width + GAP + SYMBOL},
                "y": place,
                "color": style.colour(labels.names, legend=False),
                "shape": style.shape(labels.names, legend=False),
            },
        },
        {
            "data": values(rows),
            "mark": {"type": "text", "align": "left", "baseline": "middle", "fontSize": 11.5},
            "encoding": {
                "x": {"value": width + GAP + 2 * SYMBOL + GAP},
                "y": place,
                "text": {"field": "treatment"},
                "color": {"value": style.INK},
            },
        },
    ]
    if labels.header:
        lines = _header(labels)
        top = min(shown, default=0.0) - LINE * len(lines)
        layers.append(
            style.written(lines, x=width + GAP, y=top, colour=style.MUTED, weight="normal", size=11)
        )
    return layers


def _header(labels: Labels) -> list[str]:
    return style.broken(labels.header, _text(labels)) if labels.header else []


def _text(labels: Labels) -> int:
    """Returns the width of the names, and of the longest factor above them."""
    factors = labels.header.split(" · ") if labels.header else []
    return max(map(style.pixels, [*labels.names, *factors]))


def _apart(pixels: Sequence[float], height: int) -> list[float]:
    """Returns these heights, from top to bottom, moved so that names do not cover each other."""
    placed: list[float] = []
    for pixel in pixels:
        placed.append(max(pixel, placed[-1] + LINE) if placed else max(pixel, 0.0))
    floor = float(height)
    for at in range(len(placed) - 1, -1, -1):
        placed[at] = min(placed[at], floor)
        floor = placed[at] - LINE
    return placed


def _pixel(value: float, low: float, high: float, height: int, is_log: bool) -> float:
    if is_log:
        value, low, high = (math.log(max(one, low * 1e-9)) for one in (value, low, high))
    return height * (1 - (min(max(value, low), high) - low) / (high - low))


def _value(pixel: float, low: float, high: float, height: int, is_log: bool) -> float:
    share = 1 - pixel / height
    return float(low * (high / low) ** share) if is_log else low + share * (high - low)
