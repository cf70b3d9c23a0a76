"""Says whether programs that came with a study may be started: a command that only looks starts few."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Literal

from assay.base.errors import HostError

Consent = Literal["run", "look", "none"]
"""What may be started of a study's own: all of it; servers that are programs, to ask their version and
variables, while scripts are read without anything with which they could act; nothing.
"""
_FROM_MOST = ("run", "look", "none")

_ELF = b"\x7fELF"
_given: ContextVar[Consent] = ContextVar("consent", default="run")


class NotStartedError(HostError):
    """A program of a study was not started, because the command only looks."""


@contextmanager
def consent(given: Consent) -> Iterator[None]:
    """Lets no more than this be started in the block, nor more than is let around it."""
    before = _given.set(max(given, _given.get(), key=_FROM_MOST.index))
    try:
        yield
    finally:
        _given.reset(before)


def may_read_scripts() -> bool:
    """Returns whether a script of a study may be read where it cannot act, to learn what it declares."""
    return _given.get() != "none"


def require_consent_to_unpack(archive: Path) -> None:
    """Raises `NotStartedError` where an archive of a study may not be unpacked, as the command only looks."""
    if _given.get() != "run":
        raise NotStartedError(
            f"{archive} is unpacked by a run only, so the server's variables are not checked before"
        )


def may_run_scripts() -> bool:
    """Returns whether a script of a study may have all that it has in a run, to learn what it declares."""
    return _given.get() == "run"


def require_consent(binary: Path) -> None:
    """Raises `NotStartedError` where this binary of a study may not be started."""
    given = _given.get()
    if given == "run":
        return
    if given == "none":
        raise NotStartedError(f"{binary} was not started, so its variables are not checked")
    if not os.access(binary, os.X_OK):
        return  # nothing can start it
    try:
        with binary.open("rb") as file:
            is_program = file.read(len(_ELF)) == _ELF
    except OSError:
        return  # whoever starts it says what is wrong with it
    if not is_program:
        raise NotStartedError(
            f"{binary} is a script, which only a run starts, so the server's variables are not checked"
        )
