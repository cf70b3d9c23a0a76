"""Turns the times of a window into the measures for claims: `assay.design.study.measures.TIMES`."""

from __future__ import annotations

from collections.abc import Iterator

from assay.base.tally import SHARES, Bag, WindowTimes
from assay.design.folder import LabelTimes


def response_of(times: LabelTimes) -> str:
    """Returns the histogram of response times; in a closed loop, without a schedule, these are the service
    times.
    """
    return times.response or times.service


def times_of(times: WindowTimes[Bag], of: str = "") -> Iterator[tuple[str, str, float, bool]]:
    """Yields name, unit and value of each measure of times that are not empty, and whether the true value may
    be any above; `of` is the prefix of the names.
    """
    named = {"mean": times.mean, "min": times.min}
    named |= dict(zip(SHARES, times.percentiles(list(SHARES.values())), strict=True))
    for name, time in (named | {"max": times.max}).items():
        yield f"{of}{name}_ms", "ms", time.ms, time.at_least
