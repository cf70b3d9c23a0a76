"""Finds the bench's own small programs, which `make bench` puts beside the engine."""

from __future__ import annotations

from pathlib import Path

from assay.base.errors import HostError
from assay.system.engine.binary import find_engine


def built(name: str) -> Path:
    """Returns the path of a program. Raises `HostError`, which says how to build it, when it is
    missing.
    """
    program = find_engine().parent / name
    if program.is_file():
        return program
    raise HostError(f"{program} is not there", hint="run `make bench`, which builds it")
