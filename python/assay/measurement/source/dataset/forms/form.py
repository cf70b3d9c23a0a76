"""A form of data of one's own: how it is recognised, and the files of which it consists."""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
import subprocess
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from assay.base.errors import InputError
from assay.base.format.job import DumpFile

SUFFIXES = (".gz", ".zst", ".xz", ".bz2")
"""Endings of compressed files, after those of their form."""
_UNPACKED = 5
"""How many times as large compressed SQL is when it is unpacked, generously."""
_HEAD_BYTES = 1 << 16
_NUMBER = re.compile(r"([0-9]+)")


@dataclass(frozen=True)
class Parts:
    """The files of a dump as the engine reads them, in their order, and what of the rest is left out, in
    sentences.
    """

    files: tuple[DumpFile, ...]
    left_out: tuple[str, ...] = ()

    @property
    def bytes(self) -> int:
        """The size of the files on disk."""
        return sum(Path(file.path).stat().st_size for file in self.files)

    @property
    def unpacked_bytes(self) -> int:
        """A generous estimate of the size of the files without compression."""
        sizes = ((Path(file.path).stat().st_size, file.path.endswith(SUFFIXES)) for file in self.files)
        return sum(size * (_UNPACKED if packed else 1) for size, packed in sizes)


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
    return path.stem if path.suffix in SUFFIXES else path.name


def in_order(paths: Iterable[Path]) -> list[Path]:
    """Returns files by their names, numbers in them by size."""

    def key(path: Path) -> list[tuple[int, str]]:
        # Texts and numbers take turns; a longer number without leading zeros is a larger one.
        parts = [part.lstrip("0") if number % 2 else part for number, part in enumerate(split(path.name))]
        return [(len(part) if number % 2 else -1, part) for number, part in enumerate(parts)]

    split = _NUMBER.split

    return sorted(paths, key=key)


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
    try:
        with path.open("rb") as file:
            first = file.read(_HEAD_BYTES)
        return _unpacked(path, first)
    except (OSError, EOFError, lzma.LZMAError, zlib.error) as error:
        raise InputError(f"cannot read {path}: {error}") from None


def _unpacked(path: Path, first: bytes) -> bytes:
    match path.suffix:
        case ".gz":
            with gzip.open(path) as file:
                return file.read(_HEAD_BYTES)
        case ".xz":
            with lzma.open(path) as file:
                return file.read(_HEAD_BYTES)
        case ".bz2":
            with bz2.open(path) as file:
                return file.read(_HEAD_BYTES)
        case ".zst":
            with subprocess.Popen(
                ["zstd", "-dcq", str(path)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            ) as unpacking:
                assert unpacking.stdout is not None
                found = unpacking.stdout.read(_HEAD_BYTES)
                if len(found) < _HEAD_BYTES and unpacking.wait() != 0:
                    raise OSError("zstd cannot unpack it")
                unpacking.kill()
            return found
    return first
