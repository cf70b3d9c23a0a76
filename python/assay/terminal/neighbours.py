"""Warnings about what else is at work on this machine, before a measurement begins."""

from __future__ import annotations

from assay.format.job import Target
from assay.host import warnings_before
from assay.printable import line
from assay.terminal import say


def warn(warning: str) -> None:
    """Prints it on standard error: what a command answers with may be read by a program."""
    say(f"! {line(warning)}", err=True)


def warn_before(target: Target | None = None) -> None:
    """Prints `warnings_before`."""
    for warning in warnings_before(target):
        warn(warning)
