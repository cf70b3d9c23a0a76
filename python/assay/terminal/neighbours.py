"""Warns, before a measurement begins, about other programs at work on this machine."""

from __future__ import annotations

from assay.format.job import Target
from assay.host import warning_before
from assay.printable import line
from assay.terminal import say


def warn(warning: str) -> None:
    """Prints a warning on standard error, since a program may read standard output."""
    say(f"! {line(warning)}", err=True)


def warn_before(target: Target | None = None) -> None:
    """Prints the warning of `warning_before`, if there is one."""
    if warning := warning_before(target):
        warn(warning)
