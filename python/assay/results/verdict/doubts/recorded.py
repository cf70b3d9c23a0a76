"""Doubts that were recorded while measuring: by the engine (in its events) and by the lab (in the
manifest).
"""

from __future__ import annotations

from collections.abc import Iterator

import duckdb

from assay.design.study import EXPERIMENTS, Study
from assay.results.verdict.results import DoubtNote, Severity

#: Kinds that make a rung worthless, and kinds that only inform; any other is a warning.
SEVERITY: dict[str, Severity] = {
    "clamped-setting": "invalid",
    "hung-workers": "invalid",
    "no-transactions": "invalid",
    "uncommitted": "invalid",
    "samples-missing": "note",
    "nondeterministic": "note",
    "untouched": "note",
}

#: Said of each rung by the engine, and by a check of `verdict` besides.
SAID_ELSEWHERE = ("abandoned", "debug-build", "dropped", "not-fresh-data")


#: Explained where an experiment sends statements of its own beside the load.
OTHER_CLIENTS = "conservation"


def explained(study: Study) -> tuple[str, ...]:
    """Returns the kinds of doubts that the study itself explains."""
    own_load = study.experiment is not None and EXPERIMENTS[study.experiment.use].own_load
    return (OTHER_CLIENTS,) if own_load else ()


def doubts(study: Study, store: duckdb.DuckDBPyConnection) -> Iterator[DoubtNote]:
    """Yields doubts that engine and lab recorded, without those that the study itself explains."""
    settled = (*SAID_ELSEWHERE, *explained(study))
    query = "SELECT kind, message, run_id, load, value, limit_ FROM doubts ORDER BY run_id, rung"
    for kind, message, run, load, value, limit in store.execute(query).fetchall():
        if kind not in settled:
            figures = {"value": value, "limit": limit}
            facts = {name: figure for name, figure in figures.items() if figure is not None}
            yield DoubtNote(kind, message, run, load, SEVERITY.get(kind, "warning"), facts)
