"""Builds the store of a results folder: whole or not at all, and only when a file is another than it was."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from assay.folder import ResultsFolder
from assay.store.costs import PER_QUERY
from assay.store.run_rows import add_run
from assay.store.tables import TABLES, Rows

#: Raised when the tables change, so that an old store is rebuilt.
VERSION = 9
_STAMP = "built-from.json"
_LOCK = ".store.lock"
_OTHER = ".store."
"""How the names of folders begin that are to be the store, or were."""

MEASURE, UNIT, VALUE = (list(TABLES["measures"]).index(name) for name in ("measure", "unit", "value"))


def build_store(folder: ResultsFolder) -> None:
    """Run folders -> Parquet files in `folder.store`.

    Does nothing when the store already holds just these runs, with every file as it was. The new store is
    written beside the old one and takes its place by rename; who has the old one open keeps it until it is
    closed. Several processes may do this at once. Raises `InputError` naming a file that cannot be read.
    """
    if _is_current(folder):
        if any(path.is_dir() for path in folder.path.glob(f"{_OTHER}*")):
            with suppress(OSError), _alone(folder):
                _sweep(folder)
        return
    with _alone(folder):
        _sweep(folder)
        if not _is_current(folder):  # somebody may have built it meanwhile
            _build(folder)


def _build(folder: ResultsFolder) -> None:
    stamp = _of_runs(folder)
    fresh = Path(tempfile.mkdtemp(prefix=f"{_OTHER}new-", dir=folder.path))
    fresh.chmod(0o755)
    try:
        rows = Rows(fresh)
        for run in folder.finished_runs():
            add_run(rows, run)
        # A server has hundreds of counters that no statement of this workload moves.
        moved = {row[MEASURE] for row in rows.of("measures") if row[VALUE]}
        rows.keep("measures", lambda row: row[UNIT] != PER_QUERY or row[MEASURE] in moved)
        rows.close()
        (fresh / _STAMP).write_text(_stamp(stamp, fresh), encoding="utf-8")
    except BaseException:
        shutil.rmtree(fresh, ignore_errors=True)
        raise
    if folder.store.exists():
        folder.store.rename(Path(tempfile.mkdtemp(prefix=f"{_OTHER}old-", dir=folder.path)))
    fresh.rename(folder.store)
    _sweep(folder)


def _of_runs(folder: ResultsFolder) -> dict[str, list[int]]:
    """Every file of the finished runs, by when it was written and how long it is."""
    return {
        str(path.relative_to(folder.runs)): _seen(path)
        for run in folder.finished_runs()
        for path in sorted(run.path.rglob("*"))
        if path.is_file()
    }


def _seen(path: Path) -> list[int]:
    found = path.stat()
    return [found.st_mtime_ns, found.st_size]


def _stamp(runs: dict[str, list[int]], store: Path) -> str:
    tables = {name: _seen(store / f"{name}.parquet") for name in TABLES}
    return json.dumps({"version": VERSION, "runs": runs, "tables": tables}, indent=1)


def _is_current(folder: ResultsFolder) -> bool:
    """Whether the store holds just these runs, and its files are those that were written, and readable."""
    try:
        if (folder.store / _STAMP).read_text(encoding="utf-8") != _stamp(_of_runs(folder), folder.store):
            return False
        for name in TABLES:
            pq.read_metadata(folder.store / f"{name}.parquet")
    except (OSError, ValueError, pa.ArrowInvalid):
        return False
    return True


@contextmanager
def _alone(folder: ResultsFolder) -> Iterator[None]:
    """One process at a time builds; the others wait for it."""
    with (folder.path / _LOCK).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _sweep(folder: ResultsFolder) -> None:
    """Removes what was to be the store of a killed process, and former stores that nobody has open."""
    for path in folder.path.glob(f"{_OTHER}*"):
        with suppress(OSError):
            if not path.is_dir():
                continue
            handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(path, ignore_errors=True)
            finally:
                os.close(handle)
