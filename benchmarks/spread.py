"""Computes ratios of pairs, how far they vary, and whether they reach their targets."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

_SURE = 0.93
"""Confidence that the range of five values reaches."""


@dataclass(frozen=True)
class Spread:
    """The median of some values, with an interval for the true one.

    From 5 values on the interval holds it in at least 93 of 100 cases (order statistics: of 5 the lowest and
    highest, of 15 the fourth from either end); with fewer values it is the range, which is less certain.
    """

    median: float
    low: float
    high: float
    count: int


def spread(values: Sequence[float]) -> Spread:
    """Returns the spread of at least one value."""
    ranked = sorted(values)
    cut = _cut(len(ranked))
    return Spread(statistics.median(ranked), ranked[cut], ranked[-1 - cut], len(ranked))


def _cut(count: int) -> int:
    """Returns how many values at either end may be left out.

    The true median lies outside the others when at most so many of all values are on one side of it.
    """
    cut = 0
    while 1 - 2 * sum(math.comb(count, beyond) for beyond in range(cut + 2)) / 2**count >= _SURE:
        cut += 1
    return cut


def ratios(mine: Sequence[float], theirs: Sequence[float]) -> Spread:
    """Returns the spread of mine / theirs, pair by pair, since a slow moment of the machine affects both of a
    pair.

    Raises ValueError when the two differ in number, or theirs holds a zero.
    """
    if 0 in theirs:
        raise ValueError("a ratio cannot be formed with 0")
    return spread([a / b for a, b in zip(mine, theirs, strict=True)])


class Sense(StrEnum):
    """The side of its target on which a figure must lie."""

    AT_MOST = "at most"
    AT_LEAST = "at least"


class State(StrEnum):
    """The outcome of comparing a figure with its target."""

    REACHED = "reached"
    WITHIN_NOISE = "within noise"
    SHORT = "falls short"


@dataclass(frozen=True)
class Target:
    """A limit for a figure. `lenient`: the median may miss it as long as the interval reaches it."""

    limit: float
    sense: Sense
    lenient: bool = False


def at_most(limit: float) -> Target:
    """Returns a target that the median must not exceed."""
    return Target(limit, Sense.AT_MOST)


def at_least(limit: float) -> Target:
    """Returns a target that the median must reach."""
    return Target(limit, Sense.AT_LEAST)


def not_below(limit: float) -> Target:
    """Returns a target that is missed only when the whole interval is below it."""
    return Target(limit, Sense.AT_LEAST, lenient=True)


def judge(value: Spread, target: Target) -> State:
    """Returns whether the median is on the right side of the target; for a lenient target, whether its
    interval reaches there.
    """

    def reaches(figure: float) -> bool:
        return figure <= target.limit if target.sense is Sense.AT_MOST else figure >= target.limit

    if reaches(value.median):
        return State.REACHED
    best = value.low if target.sense is Sense.AT_MOST else value.high
    return State.WITHIN_NOISE if target.lenient and reaches(best) else State.SHORT
