"""Doubts about the time ledger: what a transaction waited for must be known for nearly all of its time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import duckdb
import numpy as np

from assay.results.verdict.results import DoubtNote

LIMIT = 0.05
"""Share of a transaction's time without a name, more or less than nothing, before its ledger is doubted."""

_QUERY = """
    SELECT treatment, load, sum(amount) FILTER ("group" = 'unnamed') / sum(amount)
    FROM ledger_lines WHERE ledger = 'time'
    GROUP BY treatment, load, run_id HAVING sum(amount) > 0
    ORDER BY run_id"""


def unnamed_time(store: duckdb.DuckDBPyConnection) -> Iterator[DoubtNote]:
    """Yields a doubt for every load point of a treatment in whose median run more than `LIMIT` of the time of
    a transaction has no name, or is named twice.
    """
    shares: dict[tuple[str, float], list[float]] = defaultdict(list)
    for treatment, load, share in store.execute(_QUERY).fetchall():
        shares[treatment, load].append(share or 0.0)
    for (treatment, load), found in sorted(shares.items()):
        share = float(np.median(found))
        if abs(share) <= LIMIT:
            continue
        what = "has no name" if share > 0 else "is in more than one line"
        message = (
            f"of the time of a transaction of {treatment} at load {load:g}, {abs(share):.0%} {what}: its time"
            " ledger tells less than the measured difference may be made of"
        )
        facts: dict[str, str | int | float] = {
            "treatment": treatment,
            "load": load,
            "share": share,
            "limit": LIMIT,
        }
        yield DoubtNote("unnamed-time", message, None, load, "note", facts)
