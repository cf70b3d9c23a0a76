"""Finds the marked parts of a document: from `<!-- assay: KIND … -->` to `<!-- /assay -->`, each on a line of
its own.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.base.decoding import why_unreadable
from assay.base.errors import InputError
from assay.design.study import named_text

_OPEN = re.compile(r"^<!-- assay:(.*)-->[ \t]*$")
_CLOSE = re.compile(r"^<!-- /assay -->[ \t]*$")
_LARGEST = 4 << 20  # bytes


@dataclass(frozen=True)
class Mark:
    """A marked part: `kind` and `arguments` as its first line has them, `options` its words with `=`.

    `place` is the file and the number of its first line, for messages.
    """

    kind: str
    arguments: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    place: str


@dataclass(frozen=True)
class Piece:
    """Lines of a document: its author's text, or a marked part with its two marks."""

    lines: tuple[str, ...]
    mark: Mark | None = None

    def filled(self, body: str) -> Piece:
        """Returns the part with this text between its marks."""
        return Piece((self.lines[0], "\n", f"{body.strip()}\n\n", self.lines[-1]), self.mark)


def pieces_of(path: Path) -> list[Piece]:
    """Returns a document as pieces, in order; their lines joined are the document.

    Raises InputError for a part without an end, an end without a part, and marks that cannot be read.
    """
    pieces: list[Piece] = []
    lines: list[str] = []
    mark: Mark | None = None
    for number, line in enumerate(_text(path).splitlines(keepends=True), start=1):
        place = f"{path}:{number}"
        if found := _OPEN.match(line):
            if mark is not None:
                raise _unended(mark)
            pieces.append(Piece(tuple(lines)))
            lines, mark = [], _mark(found[1], place)
        elif _CLOSE.match(line):
            if mark is None:
                raise InputError(f"{place}: ends a marked part that does not begin", hint=FORM)
            pieces.append(Piece((*lines, line), mark))
            lines, mark = [], None
            continue
        lines.append(line)
    if mark is not None:
        raise _unended(mark)
    return [*pieces, Piece(tuple(lines))]


FORM = "a part begins with <!-- assay: KIND … --> and ends with <!-- /assay -->, each on a line of its own"


def text_of(pieces: Sequence[Piece]) -> str:
    """Returns pieces as one text."""
    return "".join(line for piece in pieces for line in piece.lines)


def _mark(text: str, place: str) -> Mark:
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise InputError(f"{place}: cannot be read: {why_unreadable(error)}", hint=FORM) from None
    if not words:
        raise InputError(f"{place}: names no kind of part", hint=FORM)
    options = [word.partition("=") for word in words[1:] if "=" in word]
    return Mark(
        kind=words[0],
        arguments=tuple(word for word in words[1:] if "=" not in word),
        options=tuple((name, value) for name, _, value in options),
        place=place,
    )


def _unended(mark: Mark) -> InputError:
    return InputError(f"{mark.place}: the marked part {mark.kind!r} has no end", hint=FORM)


def _text(path: Path) -> str:
    return named_text(path, "a document", _LARGEST)
