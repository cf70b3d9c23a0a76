"""Says why a ledger is missing: what a source of a profile window did not read, and what would give it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import duckdb

from assay.results.ledger import Ledger

SOURCES: Mapping[str, tuple[Ledger, ...]] = {
    "load": ("cpu", "time", "waits"),
    "stacks": ("cpu",),
    "switches": ("time",),
    "schedstat": ("time",),
    "waits": ("waits",),
    "innodb-metrics": ("waits",),
}
"""The ledgers that rest on each source of a profile window; all of them on its load."""


@dataclass(frozen=True)
class Unwatched:
    """What a source of profile windows did not read in `runs` of `windows` runs: why, and what would give
    it, in English; `remedy` is empty where nobody knows. `is_partly`: it read something all the same.
    """

    source: str
    ledgers: tuple[Ledger, ...]
    why: str
    remedy: str
    runs: int
    windows: int
    is_partly: bool = False


def unwatched(store: duckdb.DuckDBPyConnection) -> tuple[Unwatched, ...]:
    """Returns what the sources of profile windows did not read, each with its most frequent reason; nothing
    where no window was planned.
    """
    windows = watched_runs(store)
    found = store.execute(
        "SELECT m.source, m.text, coalesce(any_value(r.text), ''), count(DISTINCT m.run_id) AS runs,"
        " m.name = 'note' AS partly"
        " FROM profile_sources m LEFT JOIN profile_sources r ON r.run_id = m.run_id AND r.rung = m.rung"
        " AND r.source = m.source AND r.name = 'remedy'"
        " WHERE m.name IN ('missing', 'note') GROUP BY ALL ORDER BY partly, m.source, runs DESC, m.text"
    ).fetchall()
    first: dict[tuple[str, bool], Unwatched] = {}
    for source, why, remedy, runs, partly in found:
        one = Unwatched(source, SOURCES.get(source, ()), why, remedy, runs, windows, partly)
        first.setdefault((source, partly), one)
    return tuple(first.values())


def watched_runs(store: duckdb.DuckDBPyConnection) -> int:
    """Returns how many runs had a profile window."""
    ((windows,),) = store.execute("SELECT count(DISTINCT run_id) FROM profile_sources").fetchall()
    return int(windows)
