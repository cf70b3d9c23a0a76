"""The lines of a file of events: where each begins, and what it is, without decoding its histograms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import msgspec

from assay.base.inner_path import InnerPath


@dataclass(frozen=True, slots=True)
class Line:
    """One line: its place in the file, in bytes, and what tells it apart. `event` is empty for what is no
    event.

    `start_ns` is on the engine's clock. `is_whole` is false for a last line that a kill cut short.
    """

    offset: int
    length: int
    event: str
    phase: str
    index: int | None
    start_ns: int | None
    is_whole: bool


class _Head(msgspec.Struct):
    event: str = ""
    phase: str = ""
    index: int | None = None
    start_ns: int | None = None


_HEAD = msgspec.json.Decoder(_Head)


def event_lines(file: InnerPath) -> Sequence[Line]:
    """Returns the lines of a file. Raises OSError where it cannot be read."""
    found = file.stat()
    return _lines(file, found.st_mtime_ns, found.st_size)


@lru_cache(maxsize=16)
def _lines(file: InnerPath, mtime_ns: int, size: int) -> tuple[Line, ...]:
    made, offset = [], 0
    for text in file.lines():
        try:
            head = _HEAD.decode(text)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            head = _Head()
        whole = text.endswith(b"\n")
        made.append(Line(offset, len(text), head.event, head.phase, head.index, head.start_ns, whole))
        offset += len(text)
    return tuple(made)


def raw_line(file: InnerPath, line: Line) -> bytes:
    """Returns the bytes of a line, without its end of line."""
    with file.open("rb") as content:
        content.seek(line.offset)
        return bytes(content.read(line.length)).removesuffix(b"\n")
