"""Doubts that were found while measuring: by the engine (in its events) and by the lab (in the manifest)."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb

from assay.verdict.results import DoubtNote, Severity

#: Kinds that make a rung worthless, and kinds that only inform; any other is a warning.
SEVERITY: dict[str, Severity] = {
    "clamped-setting": "invalid",
    "samples-missing": "note",
}

#: Said of each rung by the engine, and once for the study by `study_wide`.
SAID_ELSEWHERE = ("debug-build",)


def doubts(store: duckdb.DuckDBPyConnection) -> Iterator[DoubtNote]:
    """As they were said."""
    query = "SELECT kind, message, run_id, load FROM doubts ORDER BY run_id, rung"
    for kind, message, run, load in store.execute(query).fetchall():
        if kind not in SAID_ELSEWHERE:
            yield DoubtNote(kind, message, run, load, SEVERITY.get(kind, "warning"))
