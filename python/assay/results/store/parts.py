"""Lists the parts of a store: the runs of each, the state of their files, and the part's own files.

`store/index.json` lists them; `store/part-…/` holds Parquet files for each table that has rows. A part is
never changed once it is listed: its replacement has another name.

The index is sealed, and says of each file when it was written and which file it is. So a store that came with
a results folder from elsewhere, or that somebody has changed, is no store, and is built again from the runs.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import zlib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import msgspec

from assay.base.errors import InputError
from assay.base.inner_path import DEPTH, InnerPath, NotOpened
from assay.base.seal import is_sealed, seal_of
from assay.design.folder import ResultsFolder, read_entry
from assay.results.store import parquet
from assay.results.store.costs import PER_QUERY
from assay.results.store.tables import TABLES, file_name, table_of

#: Raised when the tables change, or what a measure is, so that an old store is built again.
VERSION = 34
INDEX = "index.json"
SUMMARY = "summary.json"
PREFIX = "part-"
MEASURES = "measures"
STUDY = "."
"""The name of the part made of the study's own files."""

_END = b"PAR1"
"""The last bytes of a complete Parquet file."""
_NAME = re.compile(r"part-[a-z0-9_]+")
_FILE = re.compile(r"[a-z_]+(\.[1-9][0-9]*)?\.parquet")
_OPEN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_BLOCK_BYTES = 1 << 20
_MOST_BYTES = 256 << 20
"""The most bytes of an index."""


class FileState(msgspec.Struct, frozen=True, array_like=True):
    """The identity of a written file: no other file has these, and no change leaves them as they are."""

    bytes: int
    inode: int
    changed_ns: int
    crc32: int


class Part(msgspec.Struct, frozen=True):
    """One part of a store. `runs` are the states of its sources, by the names of their runs' folders in
    order; `files` are the states of its files, by name; `moved` are the measures per query that are somewhere
    not 0.
    """

    runs: dict[str, str]
    folder: str
    files: dict[str, FileState]
    moved: list[str]

    def of(self, table: str) -> list[str]:
        """Returns the names of the files of one table, in order."""
        return [name for number in range(len(self.files)) if (name := file_name(table, number)) in self.files]


class Index(msgspec.Struct, frozen=True):
    """The parts of a store in the order of their runs, with that of `STUDY` first."""

    version: int
    parts: list[Part]
    boot: str = ""  # of the kernel: after a loss of power, what was written is read again, once
    seal: str = ""

    def files(self, table: str) -> list[str]:
        """Returns the files of one table, relative to the store, in the order of the runs."""
        return [f"{part.folder}/{name}" for part in self.parts for name in part.of(table)]

    def moved(self) -> set[str]:
        """Returns the measures per query that some run has moved."""
        return {name for part in self.parts for name in part.moved}


def read_index(store: InnerPath) -> Index:
    """Returns the index of a store; an empty one where there is none, or one that this version and account
    did not write.
    """
    try:
        found = msgspec.json.decode((store / INDEX).read_bytes(_MOST_BYTES), type=Index)
    except (OSError, ValueError, RecursionError):
        return Index(VERSION, [])
    is_ours = found.version == VERSION and is_sealed(found.seal, _sealed_part(found))
    return found if is_ours and all(map(_is_named, found.parts)) else Index(VERSION, [])


def write_index(store: InnerPath, index: Index) -> None:
    """Replaces the index of a store, atomically."""
    index = msgspec.structs.replace(index, seal=seal_of(_sealed_part(index)))
    (store / INDEX).write_whole(msgspec.json.encode(index))


def _sealed_part(index: Index) -> bytes:
    return msgspec.json.encode((index.version, index.parts, index.boot))


def _is_named(part: Part) -> bool:
    return bool(_NAME.fullmatch(part.folder)) and all(
        _FILE.fullmatch(name) and table_of(name) in TABLES for name in part.files
    )


def whole_parts(store: InnerPath, index: Index) -> list[Part]:
    """Returns the parts whose files are those that were written.

    Files that nothing has touched since are read only if the machine has started again: a loss of power may
    have taken what was in memory alone.
    """
    is_read = index.boot != boot()
    return [part for part in index.parts if _is_whole(store / part.folder, part, is_read=is_read)]


@cache
def boot() -> str:
    """Returns the id of the kernel's present boot."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""


def _is_whole(folder: InnerPath, part: Part, *, is_read: bool) -> bool:
    try:
        handle = folder.folder_descriptor()
    except OSError:
        return False
    try:
        return all(_is_same(handle, name, state, is_read=is_read) for name, state in part.files.items())
    finally:
        os.close(handle)


def _is_same(folder: int, name: str, state: FileState, *, is_read: bool) -> bool:
    try:
        file = os.open(name, _OPEN, dir_fd=folder)
    except OSError:
        return False
    try:
        crc32 = _crc32(file) if is_read else state.crc32
        is_same = _state(os.fstat(file), crc32) == state
        return is_same and os.pread(file, len(_END), state.bytes - len(_END)) == _END
    finally:
        os.close(file)


def _state(found: os.stat_result, crc32: int) -> FileState:
    return FileState(found.st_size, found.st_ino, found.st_ctime_ns, crc32)


def state_of_table(path: InnerPath) -> FileState:
    """Returns the state of a table's file, with a checksum of all of it."""
    with path.open("rb") as file:
        return _state(os.fstat(file.fileno()), _crc32(file.fileno()))


def _crc32(file: int) -> int:
    crc, at = 0, 0
    while block := os.pread(file, _BLOCK_BYTES, at):
        crc, at = zlib.crc32(block, crc), at + len(block)
    return crc


def new_folder(store: InnerPath) -> InnerPath:
    """Makes the folder of a part that is to be written."""
    place = store / f"{PREFIX}{secrets.token_hex(6)}"
    place.mkdir()
    return place


def part_of(runs: dict[str, str], folder: InnerPath) -> Part:
    """Returns the part with these runs that was written into `folder`."""
    files = {path.name: state_of_table(path) for path in sorted(folder.iterdir())}
    part = Part(runs, folder.name, files, [])
    return msgspec.structs.replace(part, moved=_moved(folder, part)) if part.of(MEASURES) else part


def _moved(folder: InnerPath, part: Part) -> list[str]:
    with parquet.database() as connection, parquet.Sources() as sources:
        measures = sources.table(*(folder / name for name in part.of(MEASURES)))
        moved = f"unit = {parquet.quoted(PER_QUERY)} AND value <> 0"
        found = connection.execute(f"SELECT DISTINCT measure FROM {measures} WHERE {moved}").fetchall()
    return sorted(name for (name,) in found)


def stamps(folder: ResultsFolder) -> dict[str, str]:
    """Returns the state of every part's sources, as a hash over names, times and lengths of all files: the
    time of the last change of content, and that of the file itself, which a program cannot set.

    Every file is looked at, each time: one that is changed in its place changes no folder. Two thirds of what
    that costs are the kernel's own (`docs/method/fleet.md`).
    """
    study = (folder.entry, *_listed(folder), *(run.manifest for _, run in folder.attempts()))
    found = {
        STUDY: _hash(
            _seen(str(path.relative_to(folder.path)), path.stat()) for path in study if path.is_file()
        )
    }
    for run in folder.finished_runs():
        found[run.path.name] = _hash(_below(str(run.path)))
    return found


def _listed(folder: ResultsFolder) -> list[InnerPath]:
    """Returns the files that `study.json` lists; of earlier versions, the study file."""
    try:
        listed = read_entry(folder).files
    except InputError:  # which is said where the part is made
        listed = {}
    return [folder.inner(name) for name in listed] or [folder.study_file]


def state_of(states: Iterable[tuple[str, str]]) -> str:
    """Returns one hash for the states of all parts' sources."""
    text = "\n".join(f"{name} {stamp}" for name, stamp in sorted(states))
    return hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()


def folder_state(folder: ResultsFolder) -> str:
    """Returns the state of all files that a store is made of, as a hash over `stamps`."""
    return state_of(stamps(folder).items())


def _hash(lines: Iterator[str]) -> str:
    return hashlib.sha256("\n".join(sorted(lines)).encode(errors="surrogateescape")).hexdigest()[:32]


def _below(path: str, name: str = "", depth: int = DEPTH) -> Iterator[str]:
    """Yields every file below a folder; files that vanish meanwhile are left out."""
    if depth < 0:
        raise NotOpened(path, f"lies in more than {DEPTH} folders")
    try:
        with os.scandir(path) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    yield from _below(entry.path, f"{name}{entry.name}/", depth - 1)
                else:
                    yield _seen(f"{name}{entry.name}", entry.stat(follow_symlinks=False))
    except FileNotFoundError:
        return


def _seen(name: str, found: os.stat_result) -> str:
    return f"{name} {found.st_mtime_ns} {found.st_ctime_ns} {found.st_size}"
