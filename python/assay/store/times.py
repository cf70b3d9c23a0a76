"""Turns a histogram of times into the measures for claims: `assay.study.measures.TIMES`."""

from __future__ import annotations

from collections.abc import Iterator

from assay.folder import LabelTimes
from assay.tally import SHARES, Histogram


def response_of(times: LabelTimes) -> str:
    """Returns the histogram of response times; in a closed loop, without a schedule, these are the service
    times.
    """
    return times.response or times.service


def times_of(histogram: Histogram, of: str = "") -> Iterator[tuple[str, str, float]]:
    """Yields name, unit and value of each measure of a non-empty histogram in ns; `of` is the prefix of the
    names.
    """
    yield f"{of}mean_ms", "ms", histogram.mean / 1e6
    yield f"{of}min_ms", "ms", histogram.min / 1e6
    for name, value in zip(SHARES, histogram.percentiles(list(SHARES.values())).tolist(), strict=True):
        yield f"{of}{name}_ms", "ms", value / 1e6
    yield f"{of}max_ms", "ms", histogram.max / 1e6
