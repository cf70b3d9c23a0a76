"""Where an interval lies against a region of indifference, or against a figure.

Two gates at once: sure (the whole interval) and large enough (beyond the region). An interval that lies
across an edge decides nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

Position = Literal["above", "below", "inside", "astride"]


@dataclass(frozen=True)
class Region:
    """The values that make no practical difference, edges included. A single figure has `low == high`."""

    low: float
    high: float


def around(figure: float, margin: float) -> Region:
    """`figure` and everything less than `margin` away: from figure / (1 + margin) to figure x (1 + margin).

    Alike in both directions: a / b lies in the region around 1 when b / a does.
    """
    low, high = sorted((figure / (1 + margin), figure * (1 + margin)))
    return Region(low, high)


def position(low: float, high: float, region: Region) -> Position:
    """Where the interval [low, high] lies."""
    if low > region.high:
        return "above"
    if high < region.low:
        return "below"
    if region.low <= low and high <= region.high:
        return "inside"
    return "astride"


@dataclass(frozen=True)
class Gate:
    """What a verdict needs: intervals of this confidence, and at least so many blocks."""

    confidence: float
    fewest: int

    @classmethod
    def of(cls, confidence: float) -> Gate:
        """The gate of figures that are looked at once, at this confidence."""
        return cls(confidence, fewest_blocks(confidence))


def fewest_blocks(confidence: float) -> int:
    """Blocks below which no verdict is given: a sign-flip test could not reach 1 - confidence at all.

    Its smallest two-sided p is 2/2^n: six blocks for 95 %, eight for 99 %.
    """
    return max(2, math.ceil(math.log2(2 / (1 - confidence)) - 1e-9))
