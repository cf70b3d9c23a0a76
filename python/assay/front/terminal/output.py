"""Writes texts, JSON and consoles to standard output and standard error, with control characters escaped."""

from __future__ import annotations

import json
import os
import re
import select
import shutil
import sys
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from assay.base.printable import escaped_in_json, visible
from assay.base.wording import sized

if TYPE_CHECKING:
    from assay.front.terminal.safe_console import AssayConsole

_WORD = re.compile(r"\S+")
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


def broken(text: str, width: int) -> Iterator[tuple[int, int, int]]:
    """Yields the lines of a text as they fit into `width` columns: the blanks to begin with, and where the
    line begins and ends in the text.

    A sentence breaks between words, and goes on at its indent, or below what follows its label. A word that
    is wider stays whole: people copy addresses. A line with columns stays whole, too.
    """
    at = 0
    for whole in text.split("\n"):
        words = list(_WORD.finditer(whole))
        gaps = [after.start() for one, after in pairwise(words) if after.start() - one.end() > 1]
        if len(whole) <= width or not words or len(gaps) > 1 or whole.lstrip().startswith("|"):
            yield 0, at, at + len(whole)
        else:
            start, indent, goes_on = 0, 0, (gaps or [words[0].start()])[0]
            for one, after in pairwise(words):
                if indent + after.end() - start > width:
                    yield indent, at + start, at + one.end()
                    start, indent = after.start(), goes_on
            yield indent, at + start, at + len(whole.rstrip())
        at += len(whole) + 1


def say_json(value: object) -> None:
    """Prints an object as JSON on standard output, in any encoding."""
    unicode = (getattr(sys.stdout, "encoding", None) or "utf-8").lower().replace("-", "") == "utf8"
    text = json.dumps(value, indent=2, ensure_ascii=not unicode, default=str)
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
    """Makes both streams print the code of a character that their encoding lacks, instead of ending the
    program.
    """
    for stream in (sys.stdout, sys.stderr):
        reconfigure: Any = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


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
