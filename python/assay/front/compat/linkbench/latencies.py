"""Computes times as LinkBench prints them: percentiles as bounds of its buckets, in milliseconds."""

from __future__ import annotations

from dataclasses import dataclass

from assay.base.tally import Histogram, decode
from assay.design.folder import KindTally

KINDS = (
    "add_node",
    "update_node",
    "delete_node",
    "get_node",
    "add_link",
    "delete_link",
    "update_link",
    "count_link",
    "multiget_link",
    "get_links_list",
)
"""Kinds of operations in the order of LinkBench's lines, which has them in capitals."""

PERCENTILES = (25, 50, 75, 95, 99)

_NS_PER_MS = 1_000_000


@dataclass(frozen=True)
class Latencies:
    """Latencies of one kind of operation. `bounds[i]` belongs to `PERCENTILES[i]`."""

    count: int
    bounds: tuple[tuple[float, float], ...]
    max_ms: float
    mean_ms: float


def latencies_of(kind: KindTally) -> Latencies | None:
    """Returns the latencies of a kind; None where nothing succeeded. Times are response times where there was
    a schedule.
    """
    histogram = histogram_of(kind)
    if histogram is None:
        return None
    ranked = histogram.percentiles([percentile / 100 for percentile in PERCENTILES])
    return Latencies(
        histogram.total,
        tuple(bucket(int(time_ns)) for time_ns in ranked),
        histogram.max / _NS_PER_MS,
        histogram.mean / _NS_PER_MS,
    )


def histogram_of(kind: KindTally) -> Histogram | None:
    """Returns the histogram of a kind's times in nanoseconds; None when nothing was timed."""
    if kind.times is None:
        return None
    histogram = decode(kind.times.response or kind.times.service)
    return histogram if histogram.total else None


def bucket(time_ns: int) -> tuple[float, float]:
    """Returns the bounds, in ms, of LinkBench's bucket that holds a time.

    Buckets are 0.1 ms wide below 1 ms, 1 ms below 100 ms, 100 ms below 1 s, 1 s below 10 s, then one.
    """
    tenths = time_ns * 10 // _NS_PER_MS
    for limit, width in ((10, 1), (1_000, 10), (10_000, 1_000), (100_000, 10_000)):
        if tenths < limit:
            low = tenths // width * width
            return low / 10, (low + width) / 10
    return 10_000.0, 100_000.0


def decimal(value: float, digits: int) -> str:
    """Formats a number with at most this many decimals and without trailing zeros: `0.1`, `12`, `226.64`."""
    text = f"{value:.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
