"""Files that grow by whole lines: each line is a JSON object that ends with its number and its checksum.

So a reader tells what was written from what a loss of power, a failing disk or an edit has made of it, and
sees which lines are gone. Lines of earlier versions have neither, and stand before those that have. One
process at a time appends; readers need no lock.
"""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import IO

import msgspec

from assay.base.decoding import decoded
from assay.base.inner_path import InnerPath
from assay.base.wording import counted

_END = re.compile(rb',"line":([1-9][0-9]{0,14}),"crc32":"([0-9a-f]{8})"\}\Z')
_LONGEST_END = 48
"""Bytes at the end of a line of which any part shows that it was written with a checksum."""

_object = msgspec.json.Decoder(dict[str, msgspec.Raw])

NAMED = 5
"""The most faults of lines that a text names."""


@dataclass(frozen=True)
class LineFault:
    """A line that is not what was written, or is gone. `is_torn`: the last one lacks its end, as after a
    kill.
    """

    file: str
    line: int
    what: str
    is_torn: bool = False

    def __str__(self) -> str:
        return f"{self.file}, line {self.line}, {self.what}"


def numbered(record: bytes, number: int) -> bytes:
    """Returns a JSON object as the line of this number, its end included."""
    text = b'%b,"line":%d' % (record.removesuffix(b"\n").removesuffix(b"}"), number)
    return b'%b,"crc32":"%08x"}\n' % (text, zlib.crc32(text))


def record_of(line: bytes) -> bytes | None:
    """Returns the JSON object of a line, with or without its end; None where it is not what was written."""
    text = line.removesuffix(b"\n")
    if (end := _END.search(text)) is not None:
        covered = text.rfind(b',"crc32"')
        return text if zlib.crc32(text[:covered]) == int(end[2], 16) else None
    if any(key in text[-_LONGEST_END:] for key in (b'"line":', b'"crc32"')) or b"\0" in text:
        return None
    return text


class AppendedFile:
    """The writer of one file. Each line is written at once, so that a kill loses none that is there."""

    def __init__(self, path: InnerPath) -> None:
        self._path = path
        self._known = (0, 0)  # inode and length, of which the lines were counted
        self._lines = 0

    def append(self, record: bytes) -> None:
        """Appends a JSON object, with or without a line end, as a line.

        What a kill left of the last line is removed first.
        """
        with self._path.open("a+b") as out:
            if self._state(out) != self._known:
                self._lines = _ready(out)
            self._lines += 1
            out.write(numbered(record, self._lines))
            out.flush()
            self._known = self._state(out)

    def _state(self, out: IO[bytes]) -> tuple[int, int]:
        found = os.fstat(out.fileno())
        return found.st_ino, found.st_size


def _ready(out: IO[bytes]) -> int:
    """Makes a file end with a whole line, and returns the number of its last line."""
    out.seek(0)
    number = whole = 0
    line = b""
    for line in out:
        number = _number_of(line) or number + 1
        whole += len(line)
    if not line or line.endswith(b"\n"):
        return number
    if _is_torn(line):
        out.truncate(whole - len(line))
        return number - 1
    out.write(b"\n")
    return number


def records_in(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Yields the JSON objects of the lines of a file that are what was written."""
    for line in lines:
        record = record_of(line)
        if record and (line.endswith(b"\n") or not _is_torn(line)):
            yield record


def faults_of(path: InnerPath) -> Iterator[LineFault]:
    """Yields the lines of a file that are not what was written, and the places where lines are gone."""
    expected, is_numbered = 1, False
    try:
        for line in path.lines():
            number = _number_of(line)
            if number is None or record_of(line) is None:
                if what := _fault_without_number(line, is_numbered=is_numbered):
                    yield LineFault(path.name, expected, *what)
                expected += 1
                continue
            is_numbered = True
            if number > expected:
                yield LineFault(path.name, expected, "and those up to the next whole one are gone")
            elif number < expected:
                yield LineFault(path.name, expected, f"stands in the place of another: it is line {number}")
            expected = max(number, expected - 1) + 1
        if expected == 1:
            yield LineFault(path.name, 1, "is not there: the file is empty", is_torn=True)
    except FileNotFoundError:
        return
    except OSError as error:
        yield LineFault(path.name, expected, f"cannot be read: {error.strerror}")


def said_of(faults: Sequence[LineFault]) -> str:
    """Returns faults as a text that names the first of them."""
    more = f", and {counted(len(faults) - NAMED, 'more place')}" if len(faults) > NAMED else ""
    return "; ".join(map(str, faults[:NAMED])) + more


def _fault_without_number(line: bytes, *, is_numbered: bool) -> tuple[str, bool] | None:
    """Returns what is wrong with a line that has no number to trust; None: it is one of an earlier version,
    which may have ended a line that a kill had cut short.
    """
    why = _why_no_object(line)
    if not why and not is_numbered and record_of(line) is not None:
        return None
    if _is_torn(line, why):
        if not line.endswith(b"\n"):
            return "is cut short at its end, as a kill leaves it", True
        if not is_numbered and record_of(line) is not None:
            return None
    return "is not what was written", False


def _number_of(line: bytes) -> int | None:
    end = _END.search(line.removesuffix(b"\n"))
    return int(end[1]) if end else None


def _is_torn(line: bytes, why: str | None = None) -> bool:
    """Returns whether a line is the beginning of a JSON object and no more; `why`: what `_why_no_object` has
    said of it.
    """
    if not line.startswith(b"{") or b"\0" in line:
        return False
    return "truncated" in (_why_no_object(line) if why is None else why)


def _why_no_object(line: bytes) -> str:
    """Returns why a line is no JSON object; empty where it is one."""
    try:
        decoded(_object, line.removesuffix(b"\n"))
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return str(error) or "it is none"
    return ""
