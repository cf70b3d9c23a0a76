"""Opens a file whose content says what it is, and reads it whole once it is known."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from assay.base.errors import InputError
from assay.base.packed import unpacked

_HEAD_BYTES = 1 << 20
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
"""First bytes of a text in UTF-16, as Windows' shells write what a program prints."""
_LETTERS = 64  # of a text in UTF-16 without such bytes, the other half of them is zero


class WholeFile:
    """A file of text, which may be packed. Its methods raise InputError for one that cannot be read.

    `path` is the file that a person gave: another one where its text was taken out of that, as `source`.
    """

    def __init__(self, source: Path, *, shown: Path | None = None) -> None:
        self.source = source
        self.path = shown or source

    @cached_property
    def _first(self) -> bytes:
        with unpacked(self.source) as file:
            return file.read(_HEAD_BYTES)

    @cached_property
    def head(self) -> str:
        """The text of its first MiB."""
        return _text(self._first)

    @property
    def is_utf16(self) -> bool:
        return _encoding(self._first) != "utf-8"

    @property
    def is_short(self) -> bool:
        """Whether the head is all of the file."""
        return len(self._first) < _HEAD_BYTES

    def text(self, what: str, most_bytes: int, hint: str | None = None) -> str:
        """Returns the whole text. `what` names the form in the error for a file that is larger."""
        with unpacked(self.source) as file:
            content = file.read(most_bytes + 1)
        if len(content) > most_bytes:
            raise InputError(f"{self.path}: {what} has at most {most_bytes >> 20} MiB", hint=hint)
        return _text(content)


def _text(content: bytes) -> str:
    return content.decode(_encoding(content), "replace").removeprefix("\ufeff")


def _encoding(content: bytes) -> str:
    if content.startswith(_UTF16):
        return "utf-16"
    second = content[1 : 2 * _LETTERS : 2]
    return "utf-16-le" if len(second) > 1 and not any(second) and content[0] else "utf-8"
