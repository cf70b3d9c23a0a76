"""The command under sysbench's own name, and errors in sysbench's words.

A program that starts `sysbench` reads what sysbench writes, and nothing else. So hints and doubts, which
sysbench does not have, are not written where such a program reads them.
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import NoReturn

import click

from assay.base.printable import line
from assay.front.terminal import say

FAILED = 1
"""sysbench's exit code after any failure."""


def has_own_name() -> bool:
    """Returns whether the program was started as `sysbench`."""
    return Path(sys.argv[0]).name == "sysbench"


def asides_are_read() -> bool:
    """Returns whether what sysbench does not write may go to standard error: a person reads it there, or at
    least nobody who expects sysbench's text alone.
    """
    try:
        if sys.stderr.isatty():
            return True
        out, err = os.fstat(sys.stdout.fileno()), os.fstat(sys.stderr.fileno())
    except (OSError, ValueError, AttributeError):  # closed, or no file at all
        return not has_own_name()
    return not has_own_name() and (out.st_dev, out.st_ino) != (err.st_dev, err.st_ino)


def hide_password(arguments: list[str]) -> None:
    """Starts the program again without the password on its command line, which every user of the machine can
    read: it goes into the environment, which only this user can.
    """
    shown = [one for one in arguments if one.replace("_", "-").startswith("--mysql-password=")]
    if not shown or shown[-1].endswith("=") or not set(shown) <= set(sys.orig_argv):
        return
    os.environ["MYSQL_PWD"] = shown[-1].partition("=")[2]
    words = [one.partition("=")[0] + "=" if one in shown else one for one in sys.orig_argv]
    with contextlib.suppress(OSError):
        os.execv(sys.executable, words)


def say_log(text: str) -> None:
    """Prints lines of the log: under its own name on standard output, where sysbench has them."""
    say(text, err=not has_own_name(), newline=False)


def refuse(text: str, hint: str | None = None, *, heading: str = "") -> NoReturn:
    """Ends the command with sysbench's words for an error, unless they were said, and with what to do."""
    if heading:
        say(heading, newline=False)
    if text:
        say(text, err=True)
    if hint and asides_are_read():
        say(f"hint: {line(hint)}", err=True)
    click.get_current_context().exit(FAILED)
