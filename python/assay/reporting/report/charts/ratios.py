"""The layers that charts of ratios share: the region of indifference, the line at 1, the verdict's word."""

from __future__ import annotations

import math
from collections.abc import Sequence

from assay.reporting.report.charts import style
from assay.reporting.report.charts.axes import figures, ratio_scale
from assay.reporting.report.charts.chart import Spec, values
from assay.results.stats import Region

SEEN = 2.0
"""A band of fewer pixels is not seen."""
GAP = 8
TICK = 36
"""Pixels that a tick and its figure need."""


def ratio_axis(ends: Sequence[float], title: str, width: int) -> Spec:
    """Returns the channel of ratios in a plot of this width; 1 is on its axis."""
    scale, ticks = ratio_scale(ends, max(3, min(6, width // TICK)))
    return {"type": "quantitative", "scale": scale, "axis": figures(title, values=ticks)}


def sees_band(region: Region, x: Spec, width: int) -> bool:
    """Returns whether the region of indifference is wide enough to be seen on this axis."""
    low, high = x["scale"]["domain"]
    inside = math.log(min(region.high, high) / max(region.low, low))
    return width * inside / math.log(high / low) >= SEEN


def band(region: Region, x: Spec, width: int) -> list[Spec]:
    """Returns the layer of the region of indifference; none where it would not be seen."""
    if not sees_band(region, x, width):
        return []
    low, high = x["scale"]["domain"]
    return [
        {
            "data": values([{"from": max(region.low, low), "to": min(region.high, high)}]),
            "mark": {"type": "rect", "color": style.SHADE, "opacity": 1},
            "encoding": {"x": {**x, "field": "from"}, "x2": {"field": "to"}},
        }
    ]


def line_at_one(x: Spec) -> Spec:
    """Returns the layer of the line at 1."""
    return {
        "data": values([{"one": 1}]),
        "mark": {"type": "rule", "color": style.AXIS},
        "encoding": {"x": {**x, "field": "one"}},
    }


def colour_of_words() -> Spec:
    """Returns the channel that colours rows by the verdict's word."""
    return {
        "field": "word",
        "type": "nominal",
        "scale": {"domain": list(style.VERDICTS), "range": list(style.VERDICTS.values())},
        "legend": None,
    }


def words_column(y: Spec, width: int) -> Spec:
    """Returns the layer of verdict words, right of the plot, which has room for them."""
    return {
        "mark": {"type": "text", "align": "left", "fontSize": 10.5},
        "encoding": {
            "x": {"value": width + GAP},
            "y": y,
            "text": {"field": "word_shown"},
            "color": colour_of_words(),
        },
    }


def words_room(shown: Sequence[str]) -> int:
    """Returns the pixels that these words take right of a plot."""
    return GAP + max(map(style.pixels, shown), default=0)
