"""Percentiles of a closed loop with the operations that it would have sent, had it not waited for an answer.

A connection of a closed loop sends nothing while it waits, so a stall of a second is one long time a
connection, among thousands of short ones. A client that kept its interval would have sent operations all
along, and each would have waited for the rest of the stall. Two estimates add them; the larger one counts:

- By the times (Gil Tene's correction for the expected interval, HdrHistogram's
  `recordValueWithExpectedInterval`): a time v beyond the interval E stands also for v - E, v - 2E … down
  to E.
- By the seconds: a stretch of n seconds with too little throughput lacks d operations; their waits are even
  between 0 and n seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from assay.base.tally.histogram import Histogram, ranks

_STEPS = 60
"""Halvings of the range in which a percentile is searched: far below a histogram's resolution."""


@dataclass(frozen=True)
class Gap:
    """A stretch of `ns` nanoseconds that lacks `operations`."""

    operations: float
    ns: float


def corrected_percentiles(
    times: Histogram, shares: Sequence[float], every_ns: float, gaps: Sequence[Gap]
) -> list[float]:
    """Returns the percentiles at `shares` in nanoseconds, never below those of the times themselves.

    `every_ns` is the expected interval between two operations of one connection; `gaps` are the stretches
    with too little throughput. Raises ValueError without times.
    """
    if not times.total:
        raise ValueError("no percentile of no times")
    values = times.layout.middle(times.index)

    def own(beyond: float) -> float:
        return float(times.counts[values > beyond].sum())

    def by_times(beyond: float) -> float:
        more = np.floor(np.maximum(values - max(beyond, every_ns), 0) / every_ns)
        return own(beyond) + float(more @ times.counts)

    def by_gaps(beyond: float) -> float:
        return own(beyond) + sum(one.operations * max(1 - beyond / one.ns, 0.0) for one in gaps)

    highest = max(float(values.max()), *(one.ns for one in gaps), 0.0)
    plain = times.percentiles(shares)
    return [
        max(float(at), *(_percentile(share, count, highest) for count in (by_times, by_gaps)))
        for share, at in zip(shares, plain, strict=True)
    ]


def _percentile(share: float, beyond: Callable[[float], float], highest: float) -> float:
    """Returns the smallest value that at most the rest of the operations are beyond."""
    total = round(beyond(-1.0))
    rest = total - int(ranks([share], total)[0])
    low, high = 0.0, highest
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if beyond(middle) <= rest else (middle, high)
    return high
