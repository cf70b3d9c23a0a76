"""Writes texts, JSON and consoles to standard output and standard error, with control characters escaped."""

from __future__ import annotations

import json
import os
import re
import select
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from unicodedata import east_asian_width

from assay.base.printable import escaped_in_json, visible
from assay.base.wording import sized
from assay.front.terminal.plain_text import stream_settings

if TYPE_CHECKING:
    from assay.front.terminal.safe_console import AssayConsole

_WORD = re.compile(r"[^ \t]+")  # a no-break space is part of its word
_OPEN, _CLOSE, _WIDE = "（「『《“", "，。；：）、」』》”！？", "\u2e80-\u9fff\uac00-\ud7af\uff00-\uffef"
_PIECE = re.compile(
    rf"(?:[A-Za-z]+:/|[.~]{{0,2}}/|[A-Za-z0-9_.-]{{2,}}/)[^ \t{_OPEN}{_CLOSE}]*[{_CLOSE}]*"
    rf"|[{_OPEN}]*(?:[^ \t{_WIDE}{_OPEN}{_CLOSE}]+|[{_WIDE}]|[{_OPEN}{_CLOSE}])[{_CLOSE}]*"
)
"""What stays whole in a line: a path or an address, a word, a Chinese character with its marks."""
_COLUMN = re.compile(r"[^ \t]+(?: [^ \t]+)*")
_BETWEEN = "  "
_LEAST = 8  # columns of a cell that is cut
_MOMENT = 4 << 20  # bytes that are read within about a second
WIDEST_PROSE = 100
"""Columns of a sentence at most: a longer line is hard to read."""

PIPE_WIDTH = 1000
"""Columns of a pipe or a file: lines stay whole, for grep."""


class OutputClosed(BaseException):
    """Raised when the reader of standard output has closed it, as `head -1` does; the program ends without an
    error.
    """

    exit_code = 141  # 128 + SIGPIPE, as shells have it


def say(text: str = "", *, err: bool = False, newline: bool = True) -> None:
    """Prints a text on standard output, or on standard error; on a terminal its sentences break between
    words.
    """
    stream = sys.stderr if err else sys.stdout
    shown = visible(text)
    if stream.isatty():
        lines = broken(shown, prose_width())
        shown = "\n".join(" " * indent + shown[start:end] for indent, start, end in lines)
    _write(stream, shown + ("\n" if newline else ""))


def prose_width(columns: int | None = None) -> int:
    """Returns the columns that a sentence takes at most on a terminal of so many, or on this one."""
    return max(20, min(columns or shutil.get_terminal_size().columns, WIDEST_PROSE))


def say_rows(rows: Sequence[tuple[str, ...]], *, give: int) -> None:
    """Prints rows whose columns begin below one another; the column `give` is cut at words to what a terminal
    has left for it, and stays whole elsewhere.
    """
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    if sys.stdout.isatty():
        others = sum(widths) - widths[give] + len(_BETWEEN) * len(widths)
        widths[give] = max(min(widths[give], shutil.get_terminal_size().columns - others), _LEAST)
    for row in rows:
        cells = [cut(cell, widths[give]) if at == give else cell for at, cell in enumerate(row)]
        pads = (" " * (width - cell_len(cell)) for cell, width in zip(cells, widths, strict=True))
        say_whole("".join(_BETWEEN + cell + pad for cell, pad in zip(cells, pads, strict=True)).rstrip())


def say_whole(text: str) -> None:
    """Prints a line on standard output that is cut at words where it is wider than the terminal."""
    if sys.stdout.isatty():
        text = cut(text, shutil.get_terminal_size().columns)
    _write(sys.stdout, visible(text) + "\n")


def cut(text: str, width: int) -> str:
    """Returns a text that takes `width` columns at most: what does not fit is left out from a word on, with …
    in its place.
    """
    if cell_len(text) <= width:
        return text
    at = 0
    for word in _WORD.finditer(text):
        if cell_len(text[: word.end()]) > width - 2:
            break
        at = word.end()
    if at == 0:  # one long word, or a language without blanks
        while cell_len(text[: at + 1]) < width:
            at += 1
        return f"{text[:at]}…"
    return f"{text[:at]} …"


def cell_len(text: str) -> int:
    """Returns the columns that a text takes on a terminal; a Chinese character takes two."""
    return len(text) + sum(east_asian_width(one) in "WF" for one in text) if not text.isascii() else len(text)


def broken(text: str, width: int) -> Iterator[tuple[int, int, int]]:
    """Yields the lines of a text as they fit into `width` columns: the blanks to begin with, and where the
    line begins and ends in the text.

    A sentence breaks between words, in Chinese between characters, and goes on at its indent, or below what
    follows its label; a line with columns breaks between those. A word that is wider stays whole: people copy
    addresses. So does a row of a Markdown table.
    """
    at = 0
    for whole in text.split("\n"):
        words = list(_PIECE.finditer(whole))
        if cell_len(whole) <= width or not words or whole.lstrip().startswith("|"):
            yield 0, at, at + len(whole)
        else:
            gaps = [after.start() for one, after in pairwise(words) if after.start() - one.end() > 1]
            start, indent, least = 0, 0, words[0].start() + len(_BETWEEN)
            goes_on = least if len(gaps) > 1 else (gaps or [words[0].start()])[0]
            if len(gaps) > 1:
                columns = list(_COLUMN.finditer(whole))
                if max(cell_len(one[0]) for one in columns) + goes_on <= width:
                    words = columns
            for one, after in pairwise(words):
                if indent + cell_len(whole[start : after.end()]) > width:
                    yield indent, at + start, at + one.end()
                    start, fits = after.start(), goes_on + cell_len(after[0]) <= width
                    indent = goes_on if fits else min(goes_on, least)
            yield indent, at + start, at + len(whole.rstrip())
        at += len(whole) + 1


class _Objects:
    """How many JSON objects this process has printed on standard output."""

    printed = 0


def json_printed() -> int:
    """Returns how many JSON objects were printed: a command that has printed its own prints none for an
    error, since programs read one.
    """
    return _Objects.printed


def say_json(value: object) -> None:
    """Prints an object as JSON on standard output, in any encoding."""
    unicode = (getattr(sys.stdout, "encoding", None) or "utf-8").lower().replace("-", "") == "utf8"
    text = json.dumps(value, indent=2, ensure_ascii=not unicode, default=str)
    _Objects.printed += 1
    _write(sys.stdout, escaped_in_json(text) + "\n")


def tell_size(files: Iterable[Path]) -> None:
    """Says on standard error how much is read, where that takes more than a moment."""
    size = sum(file.stat().st_size for file in files if file.is_file())
    if size > _MOMENT:
        say(f"reading {sized(size)}", err=True)


def _write(stream: IO[str], text: str) -> None:
    try:
        stream.write(text)
        stream.flush()
    except BrokenPipeError:
        raise OutputClosed from None


def console(*, stderr: bool = False) -> AssayConsole:
    """Returns a console for tables, colours and live displays; in a pipe it prints plain lines without
    trailing blanks.
    """
    from assay.front.terminal.safe_console import AssayConsole

    return AssayConsole(stderr=stderr)


def make_streams_safe() -> None:
    """Makes both streams take any character, instead of ending the program: signs that the locale or the
    encoding lacks look alike in ASCII, letters that it lacks are codes.
    """
    settings = stream_settings(os.environ)
    for stream in (sys.stdout, sys.stderr):
        reconfigure: Any = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(**settings)


def output_is_gone() -> bool:
    """Returns whether standard output is a pipe whose reader has closed it."""
    try:
        poll = select.poll()
        poll.register(sys.stdout.fileno(), 0)
        return any(event & (select.POLLERR | select.POLLNVAL) for _, event in poll.poll(0))
    except (OSError, ValueError):
        return False


def forget_output() -> None:
    """Discards buffered output, so that flushing it at exit does not fail."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
