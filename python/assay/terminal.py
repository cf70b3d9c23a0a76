"""The terminal: every word for a person goes through here, so that nothing from elsewhere reaches it raw.

What a server, a file or another program said may hold control characters: they would set the window's
title, clear the screen or forge lines. `console()` and `say()` show them as `\\x1b`. Nothing else prints.
"""

from __future__ import annotations

import json
import os
import re
import select
import sys
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assay.console import AssayConsole

MOST = 4096
"""Characters shown of one text that came from elsewhere."""

PIPE_WIDTH = 1000
"""Columns of a pipe or a file: lines stay whole, for grep."""

# C0 without tab and newline, DEL, C1, marks and overrides of the writing direction, other line separators.
_CONTROL = "\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"
_UNSAFE = re.compile(f"[{_CONTROL}]")
_UNSAFE_IN_A_LINE = re.compile(f"[{_CONTROL}\t\n]")


class OutputClosed(BaseException):
    """Whoever read standard output has gone, as `head -1` does. No error: it is the end of the work."""

    exit_code = 141  # 128 + SIGPIPE, as shells have it


def visible(text: str) -> str:
    """The text with control characters as `\\x1b`; tabs and newlines stay."""
    return _UNSAFE.sub(_code, text)


def line(text: object, most: int = MOST) -> str:
    """One line of what came from elsewhere: newlines as `\\x0a` too, and no more than `most` characters."""
    return _UNSAFE_IN_A_LINE.sub(_code, shortened(str(text), most))


def shortened(text: str, most: int = MOST) -> str:
    """Both ends of a text that is too long to be read."""
    if len(text) <= most:
        return text
    half = most // 2
    return f"{text[:half]} … ({len(text) - 2 * half:,} characters left out) … {text[-half:]}"


def _code(found: re.Match[str]) -> str:
    number = ord(found[0])
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"


def say(text: str = "", *, err: bool = False, newline: bool = True) -> None:
    """Prints a text on standard output, or on standard error."""
    _write(sys.stderr if err else sys.stdout, visible(text) + ("\n" if newline else ""))


def say_json(value: object) -> None:
    """Prints an object as JSON on standard output, in any encoding."""
    unicode = (getattr(sys.stdout, "encoding", None) or "utf-8").lower().replace("-", "") == "utf8"
    text = json.dumps(value, indent=2, ensure_ascii=not unicode, default=str)
    _write(sys.stdout, _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n")


def _write(stream: IO[str], text: str) -> None:
    try:
        stream.write(text)
        stream.flush()
    except BrokenPipeError:
        raise OutputClosed from None


def console(*, stderr: bool = False) -> AssayConsole:
    """A console for tables, colours, live displays; in a pipe plain, whole lines without trailing blanks."""
    from assay.console import AssayConsole

    return AssayConsole(stderr=stderr)


def make_streams_safe() -> None:
    """What an encoding cannot write is shown by its code instead of ending the program."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure: Any = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def output_is_gone() -> bool:
    """Whether standard output is a pipe that nobody reads any more."""
    try:
        poll = select.poll()
        poll.register(sys.stdout.fileno(), 0)
        return any(event & (select.POLLERR | select.POLLNVAL) for _, event in poll.poll(0))
    except (OSError, ValueError):
        return False


def forget_output() -> None:
    """What is still buffered goes nowhere, so that the end of the process does not stumble over it."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
