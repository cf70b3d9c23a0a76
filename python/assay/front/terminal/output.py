"""Writes texts, JSON and consoles to standard output and standard error, with control characters escaped."""

from __future__ import annotations

import json
import os
import select
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from assay.base.printable import escaped_in_json, visible
from assay.base.wording import sized

if TYPE_CHECKING:
    from assay.front.terminal.safe_console import AssayConsole

_MOMENT = 4 << 20  # bytes that are read within about a second
PIPE_WIDTH = 1000
"""Columns of a pipe or a file: lines stay whole, for grep."""


class OutputClosed(BaseException):
    """Raised when the reader of standard output has closed it, as `head -1` does; the program ends without an
    error.
    """

    exit_code = 141  # 128 + SIGPIPE, as shells have it


def say(text: str = "", *, err: bool = False, newline: bool = True) -> None:
    """Prints a text on standard output, or on standard error."""
    _write(sys.stderr if err else sys.stdout, visible(text) + ("\n" if newline else ""))


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
