"""Times of operations as a histogram, in milliseconds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

from assay.base.errors import InputError
from assay.base.tally import Histogram, merge
from assay.front.api.table import Table, of_columns

_NS_PER_MS = 1e6
_SHARES = (0.5, 0.9, 0.95, 0.99, 0.999)


@dataclass(frozen=True, repr=False)
class Latencies:
    """The distribution of operations' times as an HDR histogram, at most 0.1 % above the truth. Times in
    milliseconds.
    """

    _histogram: Histogram

    @property
    def count(self) -> int:
        """Number of timed operations."""
        return self._histogram.total

    @property
    def mean(self) -> float:
        """Mean time, ms; nan when empty."""
        return self._histogram.mean / _NS_PER_MS

    @property
    def stdev(self) -> float:
        """Standard deviation, ms; nan when empty."""
        return self._histogram.stdev / _NS_PER_MS

    @property
    def min(self) -> float:
        """Smallest time, ms; nan when empty."""
        return self._histogram.min / _NS_PER_MS

    @property
    def max(self) -> float:
        """Largest time, ms; nan when empty."""
        return self._histogram.max / _NS_PER_MS

    @overload
    def quantile(self, share: float) -> float: ...
    @overload
    def quantile(self, share: Sequence[float]) -> list[float]: ...
    def quantile(self, share: float | Sequence[float]) -> float | list[float]:
        """Returns the time, in ms, that this share of operations took at most: 0.99 for the 99th percentile.

        A list of shares gives a list of times; nan when empty. Raises InputError for a share that is not in 0
        to 1.
        """
        shares = [share] if isinstance(share, int | float) else list(share)
        if wrong := [one for one in shares if not 0 <= one <= 1]:
            raise InputError(
                f"{wrong[0]:g} is not a share",
                hint="write 0.99 for the 99th percentile: shares go from 0 to 1",
            )
        found: list[float] = (self._histogram.percentiles(shares) / _NS_PER_MS).tolist()
        return found[0] if isinstance(share, int | float) else found

    def bins(self) -> Table:
        """Returns the bins that are not empty, ascending: `low_ms`, `high_ms`, `count`."""
        layout, index = self._histogram.layout, self._histogram.index
        low, high = layout.lowest(index) / _NS_PER_MS, layout.highest(index) / _NS_PER_MS
        rows = zip(low.tolist(), high.tolist(), self._histogram.counts.tolist(), strict=True)
        return of_columns(("low_ms", "high_ms", "count"), list(rows))

    def __add__(self, other: Latencies) -> Latencies:
        """Returns the times of both: counts are added, percentiles never averaged."""
        return Latencies(merge([self._histogram, other._histogram]))

    def __repr__(self) -> str:
        marks = ", ".join(
            f"p{100 * share:g} {ms:.4g}" for share, ms in zip(_SHARES, self.quantile(_SHARES), strict=True)
        )
        return f"<assay.Latencies of {self.count} operations, ms: {marks}, max {self.max:.4g}>"

    def _repr_html_(self) -> str:
        summary = {
            "count": self.count,
            "mean_ms": self.mean,
            **{f"p{100 * s:g}_ms": ms for s, ms in zip(_SHARES, self.quantile(_SHARES), strict=True)},
            "max_ms": self.max,
        }
        return of_columns(tuple(summary), [tuple(summary.values())])._repr_html_()
