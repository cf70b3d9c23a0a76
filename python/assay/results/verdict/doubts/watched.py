"""Doubts about profile windows: a server that is watched must do as much as one that is not."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator

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

    Two blocks at least are needed to tell that from chance.
    """
    seen: dict[tuple[str, float], list[float]] = defaultdict(list)
    query = "SELECT treatment, load, value FROM measures WHERE measure = ? AND value > 0 ORDER BY run_id"
    for treatment, load, value in store.execute(query, [_MEASURE]).fetchall():
        seen[treatment, load].append(math.log(value / 100))
    for (treatment, load), logs in sorted(seen.items()):
        found = mean_interval(np.array(logs), confidence)
        if found.low is None or found.high is None:
            continue
        ratio, low, high = (math.exp(one) for one in (found.value, found.low, found.high))
        if low <= 1 <= high or abs(ratio - 1) <= LIMIT:
            continue
        shown = with_interval(100 * ratio, 100 * low, 100 * high)
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
