"""Doubts about files that a run has lost since it ended."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import duckdb

from assay.verdict.results import DoubtNote


def lost_data(store: duckdb.DuckDBPyConnection) -> Iterator[DoubtNote]:
    """Yields doubts about rungs whose figures are missing or damaged, and about other lost files."""
    beside: dict[str, list[str]] = defaultdict(list)
    query = "SELECT run_id, load, file, what FROM losses ORDER BY run_id, rung, file"
    for run, load, file, what in store.execute(query).fetchall():
        if load is None:
            beside[run].append(f"{file} {what}")
            continue
        message = f"{file} {what}: the figures are not used, and `assay run` repeats the run"
        yield DoubtNote("lost-figures", message, run, load, "invalid", {"file": file})
    for run, files in beside.items():
        message = f"what was recorded during the load is incomplete: {'; '.join(files)}"
        yield DoubtNote("lost-files", message, run, None, "warning", {"files": "; ".join(files)})
