"""Says why a ledger is missing: what a source of a profile window did not read, and what would give it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import duckdb

from assay.results.ledger import Ledger

SOURCES: Mapping[str, tuple[Ledger, ...]] = {
    "load": ("cpu", "time", "waits"),
    "tail": ("time",),
    "counting": ("waits",),
    "stacks": ("cpu",),
    "switches": ("time",),
    "schedstat": ("time",),
    "waits": ("waits",),
    "innodb-metrics": ("waits",),
}
"""The ledgers that rest on each source of a profile window, and on its stretches; all of them on its load."""


_MOST_REASONS = 2


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
    """Returns what the sources of profile windows did not read, each with its most frequent reasons; nothing
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
    runs_of = {
        (source, partly): runs
        for source, partly, runs in store.execute(
            "SELECT source, name = 'note', count(DISTINCT run_id) FROM profile_sources"
            " WHERE name IN ('missing', 'note') GROUP BY ALL"
        ).fetchall()
    }
    reasons: dict[tuple[str, bool], list[tuple[str, str]]] = {}
    for source, why, remedy, _, partly in found:
        reasons.setdefault((source, partly), []).append((why, remedy))
    return tuple(
        Unwatched(
            source=source,
            ledgers=SOURCES.get(source, ()),
            why="; ".join(dict.fromkeys(why for why, _ in of[:_MOST_REASONS])),
            remedy=of[0][1],
            runs=runs_of[source, partly],
            windows=windows,
            is_partly=partly,
        )
        for (source, partly), of in reasons.items()
    )


def watched_runs(store: duckdb.DuckDBPyConnection) -> int:
    """Returns how many runs had a profile window."""
    ((windows,),) = store.execute("SELECT count(DISTINCT run_id) FROM profile_sources").fetchall()
    return int(windows)
