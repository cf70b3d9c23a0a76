"""Checks identities, sums that must hold whatever was measured, in tables in which they generally hold.

An identity counts in a table where most rows keep it. A row breaks it when it misses by more than the
rounding of its digits and 1 % in addition.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Generic, TypeVar

from assay.results.audit.figure import Figure

TOLERANCE = 0.01
LEAST_ROWS = 3

Where = TypeVar("Where")


@dataclass(frozen=True)
class Sum(Generic[Where]):
    """One row's sum: the expected value, its bounds `low` and `high` by rounding alone, and the printed
    value.
    """

    where: Where
    printed: Figure
    expected: float
    low: float
    high: float

    @property
    def kept(self) -> bool:
        """Whether the print agrees within rounding and 1 %."""
        room = TOLERANCE * abs(self.expected)
        return self.printed.high >= self.low - room and self.printed.low <= self.high + room

    @property
    def exact(self) -> bool:
        """Whether the print agrees within rounding alone."""
        return self.printed.high >= self.low and self.printed.low <= self.high

    @property
    def off(self) -> float:
        """The difference of the print from the expected value, as a share of it."""
        return self.printed.value / self.expected - 1 if self.expected else 0.0


def broken(
    sums: Sequence[Sum[Where]], least: int = LEAST_ROWS, *, is_arithmetic: bool = False
) -> list[Sum[Where]]:
    """Returns the sums that miss, where the table shows that the identity applies to it; otherwise none.

    One whose constant comes from the table must be kept by more than half of the rows, and by `least`. For
    sums of printed figures (`is_arithmetic`) one row in four is enough: it shows that the columns mean what
    they say.
    """
    kept = sum(one.kept for one in sums)
    enough = 4 * kept >= len(sums) and kept >= 1 if is_arithmetic else kept >= least and 2 * kept > len(sums)
    return [one for one in sums if not one.kept] if enough else []


def nearly(sums: Sequence[Sum[Where]]) -> list[Sum[Where]]:
    """Returns sums that miss by less than 1 % where nine in ten hold to the last digit; they are worth a
    note.
    """
    exact = sum(one.exact for one in sums)
    if exact < 6 or 10 * exact < 8 * len(sums):
        return []
    return [one for one in sums if one.kept and not one.exact and abs(one.off) > 1e-4]


def constant_ratio(pairs: Iterable[tuple[Where, Figure, Figure]]) -> list[Sum[Where]]:
    """Returns the sums of an identity `second = c * first`, with c the ratio that most rows have.

    Of ratios that nearly as many rows have, a whole number is preferred.
    """
    usable = [
        (where, first, second) for where, first, second in pairs if first.value > 0 and second.value > 0
    ]
    if len(usable) < LEAST_ROWS + 1:
        return []
    ratios = [second.value / first.value for _, first, second in usable]
    common = _commonest(ratios)
    exact = median(one for one in ratios if abs(one / common - 1) < TOLERANCE)
    return [
        Sum(where, second, exact * first.value, exact * first.low, exact * first.high)
        for where, first, second in usable
    ]


def _commonest(ratios: Sequence[float]) -> float:
    """Returns the ratio that most rows have within 1 %; a whole number counts for half as many rows again."""
    ordered = sorted(ratios)

    def weight(ratio: float) -> float:
        rows = bisect_left(ordered, ratio * (1 + TOLERANCE)) - bisect_right(ordered, ratio * (1 - TOLERANCE))
        is_whole = ratio >= 0.99 and abs(ratio / max(round(ratio), 1) - 1) < TOLERANCE / 4
        return rows * (1.5 if is_whole else 1.0)

    return max(ratios, key=weight)
