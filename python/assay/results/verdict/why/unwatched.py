"""Says why a ledger is missing: which source of a profile window read nothing, and what would give it."""

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
    """A source of profile windows that read nothing in `runs` of `windows` runs: why, and what would give
    it, in English; `remedy` is empty where nobody knows.
    """

    source: str
    ledgers: tuple[Ledger, ...]
    why: str
    remedy: str
    runs: int
    windows: int


def unwatched(store: duckdb.DuckDBPyConnection) -> tuple[Unwatched, ...]:
    """Returns the sources that read nothing in some run's profile window, each with its most frequent reason;
    nothing where no window was planned.
    """
    ((windows,),) = store.execute("SELECT count(DISTINCT run_id) FROM profile_sources").fetchall()
    found = store.execute(
        "SELECT m.source, m.text, coalesce(any_value(r.text), ''), count(DISTINCT m.run_id) AS runs"
        " FROM profile_sources m LEFT JOIN profile_sources r ON r.run_id = m.run_id AND r.rung = m.rung"
        " AND r.source = m.source AND r.name = 'remedy'"
        " WHERE m.name = 'missing' GROUP BY m.source, m.text ORDER BY m.source, runs DESC, m.text"
    ).fetchall()
    first: dict[str, Unwatched] = {}
    for source, why, remedy, runs in found:
        ledgers = SOURCES.get(source, ())
        first.setdefault(source, Unwatched(source, ledgers, why, remedy, runs, windows))
    return tuple(first.values())
