"""Keeps the store of a results folder up to date: one part for each run, rebuilt when its files change."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from assay.folder import ResultsFolder
from assay.locks import locked, take
from assay.store.parts import (
    INDEX,
    PREFIX,
    STUDY,
    VERSION,
    Index,
    Part,
    part_of,
    read_index,
    stamps,
    whole_parts,
    write_index,
)
from assay.store.run_rows import add_run
from assay.store.study_rows import add_study
from assay.store.tables import Rows

_LOCK = ".store.lock"


def build_store(folder: ResultsFolder) -> None:
    """Writes the run folders as Parquet files to `folder.store`.

    A run is read only when it is new or one of its files has changed; runs that are gone leave the store.
    Several processes may do this at once: one builds, the others wait, and an open store keeps the contents
    it had when it was opened. Raises `InputError`, which names a file that cannot be read, and then leaves
    the store unchanged.
    """
    wanted, index = stamps(folder), read_index(folder.store)
    is_current = list(_kept(folder.store, index, wanted)) == list(index.parts) == list(wanted)
    if not is_current or any(_unlisted(folder.store, index)):
        with locked(folder.path / _LOCK):  # one builds, the others wait for it
            _build(folder)


def _kept(store: Path, index: Index, wanted: dict[str, str]) -> dict[str, Part]:
    """Returns the parts of the store that are up to date."""
    parts = whole_parts(store, index)
    return {name: part for name, part in parts.items() if wanted.get(name) == part.stamp}


def _build(folder: ResultsFolder) -> None:
    store = folder.store
    store.mkdir(exist_ok=True)
    wanted, index = stamps(folder), read_index(store)
    kept = _kept(store, index, wanted)
    try:
        parts = {name: kept.get(name) or _made(folder, name, stamp) for name, stamp in wanted.items()}
        if list(parts.items()) != list(index.parts.items()):
            index = Index(VERSION, parts)
            write_index(store, index)
    finally:
        _sweep(store, index)


def _made(folder: ResultsFolder, name: str, stamp: str) -> Part:
    place = Path(tempfile.mkdtemp(prefix=PREFIX, dir=folder.store))
    place.chmod(0o755)
    rows = Rows(place)
    if name == STUDY:
        add_study(rows, folder)
    else:
        add_run(rows, folder.run(name))
    rows.close()
    return part_of(stamp, place)


def _unlisted(store: Path, index: Index) -> Iterator[Path]:
    """Yields parts that the index no longer lists, unfinished ones, and files of earlier versions of
    Assay.
    """
    listed = {INDEX, *(part.folder for part in index.parts.values())}
    return (path for path in store.iterdir() if path.name not in listed)


def _sweep(store: Path, index: Index) -> None:
    """Removes files that the index does not list, unless a process has the store open: then a later build
    does it.
    """
    handle = os.open(store, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for path in _unlisted(store, index) if take(handle) else ():
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink()
    finally:
        os.close(handle)
