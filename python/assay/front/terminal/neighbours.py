"""Warns, before a measurement begins, about other programs at work on this machine."""

from __future__ import annotations

from assay.base.format.job import Target
from assay.base.printable import line
from assay.front.terminal import say
from assay.system.host import warning_before


def warn(warning: str) -> None:
    """Prints a warning on standard error, since a program may read standard output."""
    say(f"! {line(warning)}", err=True)


def warn_before(target: Target | None = None) -> None:
    """Prints the warning of `warning_before`, if there is one."""
    if warning := warning_before(target):
        warn(warning)
