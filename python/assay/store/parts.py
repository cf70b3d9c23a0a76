"""Lists the parts of a store: the runs of each, the state of their files, and the part's own files.

`store/index.json` lists them; `store/part-…/` holds one Parquet file for each table that has rows. A part is
never changed once it is listed: its replacement has another name.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
import pyarrow.compute as pc
import pyarrow.parquet as pq

from assay.durable import write_whole
from assay.folder import ResultsFolder
from assay.store.costs import PER_QUERY

#: Raised when the tables change, so that an old store is built again.
VERSION = 19
INDEX = "index.json"
SUMMARY = "summary.json"
PREFIX = "part-"
MEASURES = "measures"
STUDY = "."
"""The name of the part made of the study's own files, in which every table has a file."""

_END = b"PAR1"
"""The last bytes of a complete Parquet file."""


class Part(msgspec.Struct, frozen=True):
    """One part of a store. `runs` are the states of its sources, by the names of their runs' folders in
    order; `files` is the size of each table's file in bytes; `moved` are the measures per query that are
    somewhere not 0.
    """

    runs: dict[str, str]
    folder: str
    files: dict[str, int]
    moved: list[str]


class Index(msgspec.Struct, frozen=True):
    """The parts of a store in the order of their runs, with that of `STUDY` first."""

    version: int
    parts: list[Part]

    def files(self, table: str) -> list[str]:
        """Returns the files of one table, relative to the store, in the order of the runs."""
        return [f"{part.folder}/{table}.parquet" for part in self.parts if table in part.files]

    def moved(self) -> set[str]:
        """Returns the measures per query that some run has moved."""
        return {name for part in self.parts for name in part.moved}


def read_index(store: Path) -> Index:
    """Returns the index of a store; an empty one where there is none, or one of another version."""
    try:
        found = msgspec.json.decode((store / INDEX).read_bytes(), type=Index)
    except (OSError, msgspec.DecodeError):
        return Index(VERSION, [])
    return found if found.version == VERSION else Index(VERSION, [])


def write_index(store: Path, index: Index) -> None:
    """Replaces the index of a store, atomically."""
    write_whole(store / INDEX, msgspec.json.encode(index))


def whole_parts(store: Path, index: Index) -> list[Part]:
    """Returns the parts whose files have the sizes they were written with."""
    return [part for part in index.parts if _is_whole(store / part.folder, part)]


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


def new_folder(store: Path) -> Path:
    """Makes the folder of a part that is to be written."""
    place = Path(tempfile.mkdtemp(prefix=PREFIX, dir=store))
    place.chmod(0o755)
    return place


def part_of(runs: dict[str, str], folder: Path) -> Part:
    """Returns the part with these runs that was written into `folder`."""
    files = {path.stem: path.stat().st_size for path in sorted(folder.iterdir())}
    return Part(runs, folder.name, files, _moved(folder) if MEASURES in files else [])


def _moved(folder: Path) -> list[str]:
    rows = pq.ParquetFile(folder / f"{MEASURES}.parquet").read(columns=["measure", "unit", "value"])
    moved = pc.and_(pc.equal(rows["unit"], PER_QUERY), pc.not_equal(rows["value"], 0.0))
    return sorted(pc.unique(rows.filter(moved)["measure"]).to_pylist())


def stamps(folder: ResultsFolder) -> dict[str, str]:
    """Returns the state of every part's sources, as a hash over names, modification times and lengths of all
    files.

    Every file is looked at, each time: one that is changed in its place changes no folder. Two thirds of what
    that costs are the kernel's own (`docs/method/fleet.md`).
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


def state_of(states: Iterable[tuple[str, str]]) -> str:
    """Returns one hash for the states of all parts' sources."""
    text = "\n".join(f"{name} {stamp}" for name, stamp in sorted(states))
    return hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()


def folder_state(folder: ResultsFolder) -> str:
    """Returns the state of all files that a store is made of, as a hash over `stamps`."""
    return state_of(stamps(folder).items())


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
