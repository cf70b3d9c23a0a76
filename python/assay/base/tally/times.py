"""Reads milliseconds out of the engine's histograms, and holds the list of percentiles that Assay reports."""

from __future__ import annotations

import math
import re

from assay.base.tally.unpacking import bins_of

SHARES: dict[str, float] = {
    "p50": 0.50,
    "p75": 0.75,
    "p90": 0.90,
    "p95": 0.95,
    "p99": 0.99,
    "p99_9": 0.999,
}
"""Name and share of every percentile that is a measure. Other tools' texts have lists of their own."""

_NS_PER_MS = 1e6

FEWEST_BEYOND = 10
"""Operations that must lie beyond a percentile, on its nearer side, before anything is concluded from it."""

_TAIL = re.compile(r"(?:.*[._])?(p\d+(?:_\d+)?|max)_ms")


def share_of(measure: str) -> float | None:
    """Returns the share of the percentile that a measure is, 1 for a maximum; None for any other measure."""
    if (found := _TAIL.fullmatch(measure)) is None:
        return None
    return 1.0 if found[1] == "max" else SHARES.get(found[1])


def fewest_operations(measure: str) -> int:
    """Returns how many operations a run needs before anything is concluded from a measure: 1,000 for p99.

    With fewer, the value at the rank lies systematically below the true percentile, so that whatever is
    slower looks better. A measure that is no percentile needs none.
    """
    share = share_of(measure)
    if share is None or share == 1:
        return 0
    return math.ceil(round(FEWEST_BEYOND / min(share, 1 - share), 6))


def times_ms(encoded: str) -> dict[str, float | None]:
    """Returns `mean`, the percentiles and `max` in milliseconds; each is None when nothing was timed."""
    bins = bins_of(encoded)
    if not bins.total:
        return dict.fromkeys(["mean", *SHARES, "max"])
    ranked = bins.percentiles(list(SHARES.values()))
    values = {"mean": bins.mean, **dict(zip(SHARES, ranked, strict=True)), "max": bins.max}
    return {name: value / _NS_PER_MS for name, value in values.items()}


def percentile_ms(encoded: str, share: float) -> float | None:
    """Returns one percentile in milliseconds (share 0.95 is p95); None when nothing was timed."""
    bins = bins_of(encoded)
    return bins.percentiles([share])[0] / _NS_PER_MS if bins.total else None


def count_beyond(encoded: str, limit_ms: float) -> tuple[int, int]:
    """Returns how many operations took longer than the limit, to the histogram's three digits, and how many
    were timed.
    """
    bins = bins_of(encoded)
    return bins.beyond(limit_ms * _NS_PER_MS), bins.total
