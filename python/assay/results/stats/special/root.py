"""Finds where an increasing function is zero, within a bracket that shrinks."""

from __future__ import annotations

import math
from collections.abc import Callable

_CLOSE = 1e-15
_MOST_STEPS = 200


def increasing_root(
    value_and_slope: Callable[[float], tuple[float, float]], low: float, high: float, start: float
) -> float:
    """Returns the root between `low` and `high` by Newton's steps from `start`; neither end is evaluated.

    Where a step leaves the bracket, the bracket is halved.
    """
    at = start
    for _ in range(_MOST_STEPS):
        value, slope = value_and_slope(at)
        if value == 0:
            break
        low, high = (at, high) if value < 0 else (low, at)
        step = at - value / slope if slope > 0 else math.nan
        following = step if low < step < high else (low + high) / 2
        if abs(following - at) <= _CLOSE * max(abs(following), 1.0):
            return following
        at = following
    return at


def crossing(function: Callable[[float], float], low: float, high: float) -> float:
    """Returns where a function becomes positive that is negative at `low`, by the Illinois method of false
    position (Dowell and Jarratt 1971), which needs no slope.
    """
    below, above = function(low), function(high)
    side = 0
    for _ in range(_MOST_STEPS):
        at = high - above * (high - low) / (above - below)
        value = function(at)
        if value == 0 or high - low <= _CLOSE * high or not low < at < high:
            return at
        if value < 0:
            low, below, above = at, value, above / 2 if side < 0 else above
            side = -1
        else:
            high, above, below = at, value, below / 2 if side > 0 else below
            side = 1
    return (low + high) / 2
