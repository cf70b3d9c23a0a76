"""Percentiles of times of which some are lower bounds, because operations never ended (censored times).

Every percentile and mean of a window with such operations is computed here. What is known of an operation
that never ended is that it takes at least as long as it had taken when it was given up; of one that was never
sent, or failed, not even that. A percentile is exact where all of these could take for ever and it would be
the same; otherwise it is a lower bound, which no claim that a time is *below* a limit may rest on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from assay.base.tally.histogram import Histogram
    from assay.base.tally.unpacking import Bins

Bag = TypeVar("Bag", "Histogram", "Bins")
"""Counts of times: as arrays for many windows, or without numpy for one."""

TOLERANCE = 0.01
"""Share by which a percentile may be too low without being called a lower bound."""


@dataclass(frozen=True)
class Time:
    """A time in nanoseconds; with `at_least` the true one is not below it, and may be any above."""

    ns: float
    at_least: bool = False

    @property
    def ms(self) -> float:
        return self.ns / 1e6


@dataclass(frozen=True)
class WindowTimes(Generic[Bag]):
    """The times of a window. `times` are all of them, and `bounds` those among them that are lower bounds.

    `lost` is the number of operations that never ended and of which no bound is known; `failed` is the number
    of those that were given up after an error, which counts against percentiles alone: a mean is that of
    operations that succeeded.
    """

    times: Bag
    bounds: Bag | None = None
    lost: int = 0
    failed: int = 0

    @property
    def unended(self) -> int:
        """Number of operations that never ended."""
        return self.lost + (0 if self.bounds is None else self.bounds.total)

    @cached_property
    def known(self) -> Bag:
        """The times of operations that ended."""
        return self.times if self.bounds is None else self.times.without(self.bounds)

    @property
    def total(self) -> int:
        """Number of operations, those that never ended or failed included."""
        return self.known.total + self.unended + self.failed

    @property
    def mean(self) -> Time:
        return Time(self.times.mean, self.unended > 0)

    @property
    def min(self) -> Time:
        return Time(self.times.min)

    @property
    def max(self) -> Time:
        return Time(self.times.max, self.unended > 0)

    def percentile(self, share: float) -> Time:
        return self.percentiles([share])[0]

    def percentiles(self, shares: Sequence[float]) -> list[Time]:
        """Returns the times at `shares`; nan where nothing was timed."""
        low = self.times.percentiles(shares)
        if self.total == self.times.total == self.known.total:
            return [Time(float(ns)) for ns in low]
        # The same percentiles if whatever did not end, or failed, took for ever.
        high = self.known.percentiles_among(shares, self.total)
        return [Time(float(a), bool(not b <= a * (1 + TOLERANCE))) for a, b in zip(low, high, strict=True)]

    def beyond(self, limit_ms: float) -> tuple[int, int]:
        """Returns how many operations took longer than the limit, to the histogram's three digits, and how
        many there were. What never ended or failed counts as longer.
        """
        return self.known.beyond(limit_ms * 1e6) + self.unended + self.failed, self.total


def merge_windows(parts: Iterable[WindowTimes[Histogram]]) -> WindowTimes[Histogram]:
    """Returns the times of several windows, or parts of one, together. Raises as `merge` does."""
    from assay.base.tally.histogram import merge

    found = list(parts)
    bounds = [one.bounds for one in found if one.bounds is not None]
    return WindowTimes(
        merge(one.times for one in found),
        merge(bounds) if bounds else None,
        sum(one.lost for one in found),
        sum(one.failed for one in found),
    )
