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
from numpy.typing import NDArray

from assay.base.tally.histogram import Histogram, ranks

_Floats = NDArray[np.float64]
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
    # A tail of each bin: how many operations took at least as long as it says.
    tails = np.append(np.cumsum(times.counts[::-1])[::-1], 0).astype(np.float64)
    is_long = values > every_ns
    long, counts = values[is_long], times.counts[is_long]

    def own(beyond: _Floats) -> _Floats:
        return tails[np.searchsorted(values, beyond, side="right")]

    def by_times(beyond: _Floats) -> _Floats:
        more = np.floor(np.maximum(long - np.maximum(beyond, every_ns)[:, None], 0) / every_ns)
        return own(beyond) + more @ counts

    def by_gaps(beyond: _Floats) -> _Floats:
        return own(beyond) + sum(one.operations * np.maximum(1 - beyond / one.ns, 0.0) for one in gaps)

    highest = max(float(values[-1]), *(one.ns for one in gaps), 0.0)
    # An estimate that adds nothing has the percentiles of the times themselves.
    adding = [by_times] * bool(long.size) + [by_gaps] * bool(gaps)
    estimates = [times.percentiles(shares), *(_percentiles(shares, count, highest) for count in adding)]
    return [float(at) for at in np.max(estimates, axis=0)]


def _percentiles(shares: Sequence[float], beyond: Callable[[_Floats], _Floats], highest: float) -> _Floats:
    """Returns the smallest values that at most the rest of the operations are beyond."""
    total = round(float(beyond(np.array([-1.0]))[0]))
    rest = total - ranks(shares, total)
    low, high = np.zeros(len(shares)), np.full(len(shares), highest)
    for _ in range(_STEPS):
        middle = (low + high) / 2
        is_enough = beyond(middle) <= rest
        low, high = np.where(is_enough, low, middle), np.where(is_enough, middle, high)
    return high
