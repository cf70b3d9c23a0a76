"""Builds the store of a results folder: whole or not at all, and only when a run was added or redone."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from assay.folder import ResultsFolder
from assay.store.costs import PER_QUERY
from assay.store.run_rows import add_run
from assay.store.tables import TABLES, Rows

#: Raised when the tables change, so that an old store is rebuilt.
VERSION = 7
_STAMP = "built-from.json"

MEASURE, UNIT, VALUE = (list(TABLES["measures"]).index(name) for name in ("measure", "unit", "value"))


def build_store(folder: ResultsFolder) -> None:
    """Run folders -> Parquet files in `folder.store`.

    Does nothing when the store already holds just these runs. The new store is written beside the old one and
    takes its place by rename. Raises `InputError` naming a run folder that cannot be read.
    """
    stamp = _stamp(folder)
    if _is_current(folder.store, stamp):
        return
    fresh = folder.store.with_name(".store.new")
    stale = folder.store.with_name(".store.old")
    for left_over in (fresh, stale):
        shutil.rmtree(left_over, ignore_errors=True)
    fresh.mkdir(parents=True)
    rows = Rows(fresh)
    for run in folder.finished_runs():
        add_run(rows, run)
    # A server has hundreds of counters that no statement of this workload moves.
    moved = {row[MEASURE] for row in rows.of("measures") if row[VALUE]}
    rows.keep("measures", lambda row: row[UNIT] != PER_QUERY or row[MEASURE] in moved)
    rows.close()
    (fresh / _STAMP).write_text(stamp, encoding="utf-8")
    if folder.store.exists():
        folder.store.rename(stale)
    fresh.rename(folder.store)
    shutil.rmtree(stale, ignore_errors=True)


def _stamp(folder: ResultsFolder) -> str:
    """What the store is made from. Manifests are written last and never changed: they stand for the runs."""
    runs = {}
    for run in folder.finished_runs():
        seen = run.manifest.stat()
        runs[run.path.name] = [seen.st_mtime_ns, seen.st_size]
    return json.dumps({"version": VERSION, "runs": runs}, indent=1)


def _is_current(store: Path, stamp: str) -> bool:
    try:
        return (store / _STAMP).read_text(encoding="utf-8") == stamp
    except OSError:
        return False
