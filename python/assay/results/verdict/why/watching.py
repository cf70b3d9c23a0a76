"""Compares the throughput of a server while it is watched with the measured one, for each stretch of its
profile window.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from functools import partial

import duckdb
import numpy as np

from assay.results.stats import mean_interval

STRETCHES = {
    "watched_tps_pct": "its stacks were sampled",
    "recorded_tps_pct": "its context switches were recorded",
    "counted_tps_pct": "it counted its own waits",
}
"""What was done in each stretch, in English, by the measure of its effect."""


LEDGER_OF = {"watched_tps_pct": "cpu", "recorded_tps_pct": "time"}
"""The ledger whose lines come from a stretch, by the measure of its effect."""
_OTHER_LOAD = 1.5
"""Factor by which a watched load may do more or less before it is another one than the measured: after a
window that began with a cold pool, the watched load has no reads."""


@dataclass(frozen=True)
class WatchedShare:
    """The throughput of a treatment at a load point in one stretch of its profile windows, as a share of the
    measured one: the mean over blocks with its interval, None below two blocks. `least` is that of the block
    with the least.
    """

    treatment: str
    load: float
    measure: str
    share: float
    low: float | None
    high: float | None
    least: float

    @property
    def is_another_load(self) -> bool:
        """Whether the watched load certainly did so much more or less that it is another than measured."""
        if self.low is None or self.high is None:
            return False
        return self.high < 1 / _OTHER_LOAD or self.low > _OTHER_LOAD


def watched_shares(store: duckdb.DuckDBPyConnection, confidence: float) -> tuple[WatchedShare, ...]:
    """Returns the effect of watching, by treatment and load point, in the order of the stretches."""
    seen: dict[tuple[str, float, str], list[float]] = defaultdict(list)
    query = (
        "SELECT treatment, load, measure, value FROM measures WHERE list_contains(?, measure) ORDER BY run_id"
    )
    for treatment, load, measure, value in store.execute(query, [list(STRETCHES)]).fetchall():
        seen[treatment, load, measure].append(value / 100)
    order = list(STRETCHES)
    keys = sorted(seen, key=lambda key: (key[0], key[1], order.index(key[2])))
    return tuple(WatchedShare(*key, *_mean_share(seen[key], confidence), min(seen[key])) for key in keys)


def _mean_share(shares: list[float], confidence: float) -> tuple[float, float | None, float | None]:
    """Returns the geometric mean with its interval; the arithmetic one where a watched load did nothing at
    all, of which there is no logarithm.
    """
    has_log = min(shares) > 0
    found = mean_interval(np.log(shares) if has_log else np.array(shares), confidence)
    back = math.exp if has_log else partial(max, 0.0)
    low, high = (None if end is None else back(end) for end in (found.low, found.high))
    return back(found.value), low, high
