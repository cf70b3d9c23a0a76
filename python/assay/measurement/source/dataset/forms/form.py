"""A form of data of one's own: how it is recognised, and the files of which it consists."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from assay.base.errors import InputError
from assay.base.format.job import DumpFile
from assay.base.packed import COMPRESSED, unpacked

_HEAD_BYTES = 1 << 16
_PIECE_BYTES = 1 << 20
_NUMBER = re.compile(r"([0-9]+)")


@dataclass(frozen=True)
class Parts:
    """The files of a dump as the engine reads them, in their order, what of the rest is left out, in
    sentences, and the database that the names of the files say; None where only their statements may.
    """

    files: tuple[DumpFile, ...]
    left_out: tuple[str, ...] = ()
    database: str | None = None


@dataclass(frozen=True)
class Form:
    """One form. `parts` raises `InputError` for files that are not of this form; its second value is the
    database of several that the study names.
    """

    name: str
    title: str
    recognises: Callable[[Path], bool]
    parts: Callable[[Path, str | None], Parts]


def plain_name(path: Path) -> str:
    """Returns the name of a file without the ending of its compression."""
    return path.stem if path.suffix in COMPRESSED else path.name


def in_order(paths: Iterable[Path]) -> list[Path]:
    """Returns files by their names, numbers in them by size."""

    def key(path: Path) -> list[tuple[int, str]]:
        # Texts and numbers take turns; a longer number without leading zeros is a larger one.
        parts = [part.lstrip("0") if number % 2 else part for number, part in enumerate(split(path.name))]
        return [(len(part) if number % 2 else -1, part) for number, part in enumerate(parts)]

    split = _NUMBER.split

    return sorted(paths, key=key)


def database_taken(path: Path, databases: list[str], wanted: str | None) -> str:
    """Returns the database of a dump that is loaded: its only one, or the one that the study names. Raises
    InputError where the dump has others.
    """
    if not databases:
        raise InputError(f"{path} holds no database of users")
    alike = [one for one in databases if wanted is not None and one.lower() == wanted.lower()]
    if alike or (wanted is None and len(databases) == 1):
        return (alike or databases)[0]
    listed, first = ", ".join(databases), databases[0]
    raise InputError(
        f"{path} holds several databases: {listed}"
        if wanted is None
        else f"{path} holds no database {wanted}, but {listed}",
        hint=f'name the one to take: [dataset] database = "{first}" in a study,'
        f" --database {first} for assay own and init",
    )


def statements(path: Path) -> DumpFile:
    """Returns a file of SQL as the engine reads it."""
    return DumpFile(path=str(path), name=path.name)


def names_in(folder: Path) -> list[Path]:
    """Returns the files of a folder that are not hidden, by name. Raises InputError where it cannot be
    read.
    """
    try:
        return in_order(path for path in folder.iterdir() if path.is_file() and path.name[0] != ".")
    except OSError as error:
        raise InputError(f"cannot read the folder {folder}: {error.strerror or error}") from None


def head_of(path: Path) -> bytes:
    """Returns the first bytes of a file, unpacked. Raises InputError where it cannot be read or unpacked."""
    return next(_pieces(path, _HEAD_BYTES), b"")


def text_of(path: Path, most_bytes: int) -> str:
    """Returns a file, unpacked. Raises InputError where it cannot be read, or has more bytes than these."""
    found = b""
    for piece in _pieces(path, _PIECE_BYTES):
        found += piece
        if len(found) > most_bytes:
            raise InputError(
                f"{path} is larger than {most_bytes >> 20} MiB, and holds more than definitions of tables",
                hint="put the definitions of tables into a file of their own",
            )
    return found.decode(errors="replace")


def has(path: Path, pattern: re.Pattern[bytes], longest: int) -> bool:
    """Returns whether a file, unpacked, has a pattern that matches so many bytes at the most. Raises
    InputError.
    """
    state = path.stat()
    return _has(path, pattern, longest, (state.st_ino, state.st_size, state.st_mtime_ns))


@lru_cache(maxsize=1024)
def _has(path: Path, pattern: re.Pattern[bytes], longest: int, _state: tuple[int, ...]) -> bool:
    before = b"\n"  # a file begins a line
    for piece in _pieces(path, _PIECE_BYTES):
        text = before + piece
        if pattern.search(text):
            return True
        before = text[-longest:]
    return False


def _pieces(path: Path, size: int) -> Iterator[bytes]:
    """Yields a file, unpacked, by pieces of a size. Raises InputError where it cannot be read on."""
    with unpacked(path) as file:
        while piece := file.read(size):
            yield piece
