"""A histogram of times as the measures that claims speak of: `assay.study.measures.TIMES`."""

from __future__ import annotations

from collections.abc import Iterator

from assay.folder import LabelTimes
from assay.tally import SHARES, Histogram


def response_of(times: LabelTimes) -> str:
    """The histogram of response times; without a schedule (closed loop) they are the service times."""
    return times.response or times.service


def times_of(histogram: Histogram, of: str = "") -> Iterator[tuple[str, str, float]]:
    """Name, unit and value of each, of nanoseconds that are not empty; `of` stands before every name."""
    yield f"{of}mean_ms", "ms", histogram.mean / 1e6
    yield f"{of}min_ms", "ms", histogram.min / 1e6
    for name, value in zip(SHARES, histogram.percentiles(list(SHARES.values())).tolist(), strict=True):
        yield f"{of}{name}_ms", "ms", value / 1e6
    yield f"{of}max_ms", "ms", histogram.max / 1e6
