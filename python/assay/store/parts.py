"""Lists the parts of a store: the run of each, the state of that run's files, and the part's own files.

`store/index.json` lists them; `store/part-…/` holds one Parquet file for each table that has rows. A part is
never changed once it is listed: its replacement has another name.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

import msgspec

from assay.durable import write_whole
from assay.folder import ResultsFolder

#: Raised when the tables change, so that an old store is built again.
VERSION = 16
INDEX = "index.json"
PREFIX = "part-"
STUDY = "."
"""The name of the part made of the study's own files, in which every table has a file."""

_END = b"PAR1"
"""The last bytes of a complete Parquet file."""


class Part(msgspec.Struct, frozen=True):
    """One part of a store. `stamp` is the state of its sources; `files` is the size of each table's file in
    bytes.
    """

    stamp: str
    folder: str
    files: dict[str, int]


class Index(msgspec.Struct, frozen=True):
    """The parts of a store by the names of their runs' folders, in order, with `STUDY` first."""

    version: int
    parts: dict[str, Part]

    def files(self, table: str) -> list[str]:
        """Returns the files of one table, relative to the store, in the order of the runs."""
        return [f"{part.folder}/{table}.parquet" for part in self.parts.values() if table in part.files]


def read_index(store: Path) -> Index:
    """Returns the index of a store; an empty one where there is none, or one of another version."""
    try:
        found = msgspec.json.decode((store / INDEX).read_bytes(), type=Index)
    except (OSError, msgspec.DecodeError):
        return Index(VERSION, {})
    return found if found.version == VERSION else Index(VERSION, {})


def write_index(store: Path, index: Index) -> None:
    """Replaces the index of a store, atomically."""
    write_whole(store / INDEX, msgspec.json.encode(index))


def whole_parts(store: Path, index: Index) -> dict[str, Part]:
    """Returns the parts whose files have the sizes they were written with."""
    return {name: part for name, part in index.parts.items() if _is_whole(store / part.folder, part)}


def _is_whole(folder: Path, part: Part) -> bool:
    return all(_ends(f"{folder}/{table}.parquet", size) for table, size in part.files.items())


def _ends(path: str, size: int) -> bool:
    try:
        file = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    try:
        return os.fstat(file).st_size == size and os.pread(file, len(_END), size - len(_END)) == _END
    finally:
        os.close(file)


def part_of(stamp: str, folder: Path) -> Part:
    """Returns the part that was written into `folder`."""
    files = {path.stem: path.stat().st_size for path in sorted(folder.iterdir())}
    return Part(stamp, folder.name, files)


def stamps(folder: ResultsFolder) -> dict[str, str]:
    """Returns the state of every part's sources, as a hash over names, modification times and lengths of all
    files.
    """
    study = (folder.entry, folder.study_file, *(run.manifest for _, run in folder.attempts()))
    found = {
        STUDY: _hash(
            _seen(str(path.relative_to(folder.path)), path.stat()) for path in study if path.is_file()
        )
    }
    for run in folder.finished_runs():
        found[run.path.name] = _hash(_below(str(run.path)))
    return found


def _hash(lines: Iterator[str]) -> str:
    return hashlib.sha256("\n".join(sorted(lines)).encode(errors="surrogateescape")).hexdigest()[:32]


def _below(path: str, name: str = "") -> Iterator[str]:
    """Yields every file below a folder; files that vanish meanwhile are left out."""
    try:
        with os.scandir(path) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    yield from _below(entry.path, f"{name}{entry.name}/")
                else:
                    yield _seen(f"{name}{entry.name}", entry.stat(follow_symlinks=False))
    except FileNotFoundError:
        return


def _seen(name: str, found: os.stat_result) -> str:
    return f"{name} {found.st_mtime_ns} {found.st_size}"
