"""Doubts about profile windows: a server that is watched must do as much as one that is not."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from functools import partial

import duckdb
import numpy as np

from assay.base.numbers import with_interval
from assay.results.stats import mean_interval
from assay.results.verdict.results import DoubtNote

LIMIT = 0.02
"""Share of the throughput that watching may take before its ledgers and flame graphs are doubted."""
_MEASURE = "watched_tps_pct"


def watched(store: duckdb.DuckDBPyConnection, confidence: float) -> Iterator[DoubtNote]:
    """Yields a doubt for every load point of a treatment whose watched load did certainly less or more than
    the measured one, over its blocks, and by more than `LIMIT` in the estimate.

    Two blocks at least are needed to tell that from chance, and one of a watched load that did nothing.
    """
    seen: dict[tuple[str, float], list[float]] = defaultdict(list)
    query = "SELECT treatment, load, value FROM measures WHERE measure = ? ORDER BY run_id"
    for treatment, load, value in store.execute(query, [_MEASURE]).fetchall():
        seen[treatment, load].append(value / 100)
    for (treatment, load), shares in sorted(seen.items()):
        share, low, high = _mean_share(shares, confidence)
        is_chance = low is None or high is None or low <= 1 <= high or abs(share - 1) <= LIMIT
        if is_chance and min(shares) > 0:  # a load that did nothing at all is no chance
            continue
        shown = with_interval(100 * share, *(None if end is None else 100 * end for end in (low, high)))
        message = (
            f"{treatment} at load {load:g} had {shown} % of its measured throughput while it was watched: the"
            f" profile is of a server that does other work, beyond {100 * LIMIT:g} %"
        )
        facts: dict[str, str | int | float] = {
            "treatment": treatment,
            "load": load,
            "percent": shown,
            "limit": LIMIT,
        }
        yield DoubtNote("profile-effect", message, None, load, "note", facts)


def _mean_share(shares: list[float], confidence: float) -> tuple[float, float | None, float | None]:
    """Returns the geometric mean with its interval; the arithmetic one where a watched load did nothing at
    all, of which there is no logarithm. There is no interval below two blocks.
    """
    has_log = min(shares) > 0
    found = mean_interval(np.log(shares) if has_log else np.array(shares), confidence)
    back = math.exp if has_log else partial(max, 0.0)
    low, high = (None if end is None else back(end) for end in (found.low, found.high))
    return back(found.value), low, high
