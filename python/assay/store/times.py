"""A histogram of times as the measures that claims speak of: `assay.study.measures.TIMES`."""

from __future__ import annotations

from collections.abc import Iterator

from assay.folder import LabelTimes
from assay.stats.histogram import Histogram

_SHARES = {
    "p50_ms": 0.50,
    "p75_ms": 0.75,
    "p90_ms": 0.90,
    "p95_ms": 0.95,
    "p99_ms": 0.99,
    "p99_9_ms": 0.999,
}


def response_of(times: LabelTimes) -> str:
    """The histogram of response times; without a schedule (closed loop) they are the service times."""
    return times.response or times.service


def times_of(histogram: Histogram, of: str = "") -> Iterator[tuple[str, str, float]]:
    """Name, unit and value of each, of nanoseconds that are not empty; `of` stands before every name."""
    yield f"{of}mean_ms", "ms", histogram.mean / 1e6
    for name, value in zip(_SHARES, histogram.percentiles(list(_SHARES.values())).tolist(), strict=True):
        yield f"{of}{name}", "ms", value / 1e6
    yield f"{of}max_ms", "ms", histogram.max / 1e6
