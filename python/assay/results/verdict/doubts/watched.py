"""Doubts about profile windows: a server that is watched must do as much as one that is not."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb

from assay.base.numbers import with_interval
from assay.results.verdict.results import DoubtNote
from assay.results.verdict.why.watching import STRETCHES, watched_shares

LIMIT = 0.02
"""Share of the throughput that watching may take before its ledgers and flame graphs are doubted."""


def watched(store: duckdb.DuckDBPyConnection, confidence: float) -> Iterator[DoubtNote]:
    """Yields a doubt for every load point of a treatment whose watched load did certainly less or more than
    the measured one, over its blocks, and by more than `LIMIT` in the estimate: one for each stretch.

    Two blocks at least are needed to tell that from chance, and one of a watched load that did nothing.
    """
    for one in watched_shares(store, confidence):
        is_chance = one.low is None or one.high is None or one.low <= 1 <= one.high
        if (is_chance or abs(one.share - 1) <= LIMIT) and one.least > 0:
            continue  # a load that did nothing at all is no chance
        ends = (None if end is None else 100 * end for end in (one.low, one.high))
        shown, during = with_interval(100 * one.share, *ends), STRETCHES[one.measure]
        message = (
            f"{one.treatment} at load {one.load:g} had {shown} % of its measured throughput while {during}:"
            f" what was seen is of a server that does other work, beyond {100 * LIMIT:g} %"
        )
        facts: dict[str, str | int | float] = {
            "treatment": one.treatment,
            "load": one.load,
            "percent": shown,
            "limit": LIMIT,
            "during": during,
        }
        yield DoubtNote("profile-effect", message, None, one.load, "note", facts)
