"""Times of one kind of storage operation, decoded once from its histogram."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assay.base.tally import Histogram, decode, merge

PERCENTILES = (
    1.0,
    5.0,
    10.0,
    20.0,
    30.0,
    40.0,
    50.0,
    60.0,
    70.0,
    80.0,
    90.0,
    95.0,
    99.0,
    99.5,
    99.9,
    99.95,
    99.99,
)
"""Percentiles that fio prints."""


@dataclass(frozen=True)
class Times:
    """Times of one kind of operation, in nanoseconds; all 0 when none was recorded."""

    count: int = 0
    min: int = 0
    max: int = 0
    mean: float = 0.0
    stdev: float = 0.0
    percentiles: tuple[int, ...] = (0,) * len(PERCENTILES)
    histogram: Histogram | None = None

    def at(self, percentile: float) -> int:
        """Returns a percentile (0 to 100) in nanoseconds; 0 when no operation was recorded."""
        if self.histogram is None:
            return 0
        return int(self.histogram.percentile(percentile / 100))

    def shares(self, edges_ns: Sequence[float]) -> list[float]:
        """Returns the share of values between consecutive edges; the last share is for values beyond the last
        edge.
        """
        if self.histogram is None:
            return [0.0] * (len(edges_ns) + 1)
        return [count / self.count for count in self.histogram.counts_between(edges_ns)]

    def as_json(self) -> dict[str, Any]:
        """Returns the times in microseconds, as `--json` prints them."""
        return {
            "count": self.count,
            "mean_us": self.mean / 1e3,
            "stdev_us": self.stdev / 1e3,
            "min_us": self.min / 1e3,
            "p50_us": self.at(50) / 1e3,
            "p95_us": self.at(95) / 1e3,
            "p99_us": self.at(99) / 1e3,
            "p999_us": self.at(99.9) / 1e3,
            "max_us": self.max / 1e3,
        }


NOTHING = Times()


def read_times(*texts: str | None) -> Times:
    """Returns the times of the given histograms, merged; absent ones are left out."""
    found = [histogram for text in texts if text is not None and (histogram := decode(text)).total]
    if not found:
        return NOTHING
    histogram = merge(found)
    percentiles = histogram.percentiles([share / 100 for share in PERCENTILES])
    return Times(
        count=histogram.total,
        min=int(histogram.min),
        max=int(histogram.max),
        mean=histogram.mean,
        stdev=histogram.stdev,
        percentiles=tuple(int(value) for value in percentiles),
        histogram=histogram,
    )
