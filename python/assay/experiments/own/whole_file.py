"""Opens a file whose content says what it is, and reads it whole once it is known."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import IO, Any

from assay.base.decoding import UNREADABLE, reading
from assay.base.errors import InputError
from assay.design.study import compression_of

_HEAD_BYTES = 1 << 20
_MARK_BYTES = 8
_OPENERS: Mapping[str, Any] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}


class WholeFile:
    """A file of text, which may be packed by gzip, bzip2 or xz. Its methods raise InputError for one that
    cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @cached_property
    def head(self) -> str:
        """The text of its first MiB; empty where it cannot be unpacked, which the engine knows in more
        packings, and of which it says what is wrong.
        """
        try:
            with self._opened() as file:
                return _text(file.read(_HEAD_BYTES))
        except UNREADABLE:
            return ""

    @property
    def is_short(self) -> bool:
        """Whether the head is all of the file."""
        return len(self.head) < _HEAD_BYTES

    def text(self, what: str, most_bytes: int, hint: str | None = None) -> str:
        """Returns the whole text. `what` names the form in the error for a file that is larger."""
        with reading(self.path), self._opened() as file:
            content = file.read(most_bytes + 1)
        if len(content) > most_bytes:
            raise InputError(f"{self.path}: {what} has at most {most_bytes >> 20} MiB", hint=hint)
        return _text(content)

    @contextmanager
    def _opened(self) -> Iterator[IO[bytes]]:
        try:
            with self.path.open("rb") as file:
                opener = _OPENERS.get(compression_of(file.read(_MARK_BYTES)) or "")
                file.seek(0)
                yield file if opener is None else opener(file)
        except OSError as error:
            if error.errno is None:  # of gzip and bzip2
                raise ValueError(error) from error
            raise InputError(f"{self.path}: cannot be read: {error.strerror}") from error


def _text(content: bytes) -> str:
    return content.decode("utf-8", "replace").removeprefix("\ufeff")
