"""Locates an interval relative to a region of indifference, or to a figure.

A difference must pass two tests: certain (the whole interval on one side) and large enough (beyond the
region). An interval across an edge decides nothing.
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
    """Returns the region within `margin` of `figure`: from figure / (1 + margin) to figure × (1 + margin).

    It is the same in both directions: a / b lies in the region around 1 when b / a does.
    """
    low, high = sorted((figure / (1 + margin), figure * (1 + margin)))
    return Region(low, high)


def position(low: float, high: float, region: Region) -> Position:
    """Returns where the interval [low, high] lies relative to the region."""
    if low > region.high:
        return "above"
    if high < region.low:
        return "below"
    if region.low <= low and high <= region.high:
        return "inside"
    return "astride"


@dataclass(frozen=True)
class Gate:
    """The requirements of a verdict: the confidence of its intervals, and the fewest blocks.

    `sequential`: the blocks end when there are verdicts, so that what blocks depend on makes them wrong.
    """

    confidence: float
    fewest: int
    sequential: bool = False

    @classmethod
    def of(cls, confidence: float) -> Gate:
        """Returns the gate for figures that are looked at once, at this confidence."""
        return cls(confidence, fewest_blocks(confidence))


def fewest_blocks(confidence: float) -> int:
    """Returns the number of blocks below which no verdict is given, since a sign-flip test could not reach 1
    - confidence.

    The test's smallest two-sided p-value is 2/2^n: six blocks for 95 %, eight for 99 %.
    """
    return max(2, math.ceil(math.log2(2 / (1 - confidence)) - 1e-9))
