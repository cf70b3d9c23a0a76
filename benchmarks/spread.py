"""Computes ratios of pairs, how far they vary, and whether they reach their targets."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from statistics import NormalDist

from assay.results.stats import Region, position

_SURE = 0.93
"""Confidence that the range of five values reaches."""

ENOUGH = 5
"""Values from which on there is an interval of that confidence."""


@dataclass(frozen=True)
class Spread:
    """The median of some values, or another middle, with an interval for the true one.

    That of a median holds it in at least 93 of 100 cases from 5 values on (order statistics: of 5 the lowest
    and highest, of 15 the fourth from either end); of fewer values it is the range, which is less certain.
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


def hodges_lehmann(mine: Sequence[float], theirs: Sequence[float]) -> Spread:
    """Returns the Hodges-Lehmann estimate of mine / theirs, pair by pair, with the interval of Wilcoxon's
    signed-rank test, which holds the true ratio in 95 of 100 cases.

    It is the median over the geometric means of every two pairs. With many pairs its interval is narrower
    than that of the pairs' median, and a few windows that others disturbed do not widen it as they widen that
    of a mean. (Hollander, Wolfe, Chicken: Nonparametric Statistical Methods, 3rd edition, section 3.3; the
    normal approximation.) Raises ValueError as `ratios` does.
    """
    if 0 in theirs:
        raise ValueError("a ratio cannot be formed with 0")
    logs = [math.log(a / b) for a, b in zip(mine, theirs, strict=True)]
    means = sorted((one + other) / 2 for at, one in enumerate(logs) for other in logs[at:])
    count = len(logs)
    expected, deviation = count * (count + 1) / 4, math.sqrt(count * (count + 1) * (2 * count + 1) / 24)
    cut = max(0, math.floor(expected - NormalDist().inv_cdf(0.975) * deviation - 0.5))
    middle, low, high = (math.exp(log) for log in (statistics.median(means), means[cut], means[-1 - cut]))
    return Spread(middle, low, high, count)


class Sense(StrEnum):
    """The side of its target on which a figure must lie."""

    AT_MOST = "at most"
    AT_LEAST = "at least"
    WITHIN = "within"


class State(StrEnum):
    """The outcome of comparing a figure with its target."""

    REACHED = "reached"
    WITHIN_NOISE = "within noise"
    INCONCLUSIVE = "inconclusive"
    SHORT = "falls short"


@dataclass(frozen=True)
class Target:
    """A limit for a figure. `lenient`: the median may miss it as long as the interval reaches it. `whole`:
    all of the interval must reach it. With both, an interval on both sides of the limit decides nothing.
    `high` is the other limit of a target that a figure must be within.
    """

    limit: float
    sense: Sense
    lenient: bool = False
    whole: bool = False
    high: float = math.inf

    @property
    def region(self) -> Region:
        """The figures that reach the target."""
        if self.sense is Sense.AT_MOST:
            return Region(-math.inf, self.limit)
        return Region(self.limit, self.high)


def at_most(limit: float) -> Target:
    """Returns a target that the median must not exceed."""
    return Target(limit, Sense.AT_MOST)


def at_least(limit: float) -> Target:
    """Returns a target that the median must reach."""
    return Target(limit, Sense.AT_LEAST)


def not_below(limit: float) -> Target:
    """Returns a target that is missed only when the whole interval is below it."""
    return Target(limit, Sense.AT_LEAST, lenient=True)


def clearly(target: Target) -> Target:
    """Returns the target, reached or missed only where all of the interval is on one side of it."""
    return replace(target, lenient=True, whole=True)


def within(margin: float) -> Target:
    """Returns a target that a ratio reaches where its whole interval is no farther from 1 than the margin,
    and misses where all of it is farther. An interval that reaches both sides of a limit, and one of fewer
    values than there must be, decide nothing.
    """
    return Target(1 - margin, Sense.WITHIN, high=1 + margin)


def judge(value: Spread, target: Target) -> State:
    """Returns whether the median is on the right side of the target; for a lenient target, whether its
    interval reaches there, and for a whole one, whether all of it does.
    """
    is_within = target.sense is Sense.WITHIN
    if is_within and value.count < ENOUGH:
        return State.INCONCLUSIVE
    place = position(value.low, value.high, target.region)
    if is_within or target.whole:
        return {"inside": State.REACHED, "astride": State.INCONCLUSIVE}.get(place, State.SHORT)
    if position(value.median, value.median, target.region) == "inside":
        return State.REACHED
    return State.WITHIN_NOISE if target.lenient and place == "astride" else State.SHORT
