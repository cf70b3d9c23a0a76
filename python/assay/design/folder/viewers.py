"""Announcements of processes that show a study while it runs, so that the lab samples what they cost.

An announcement is an empty file `viewers/<pid>-<start>` in the results folder.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

from assay.base.decoding import whole_number
from assay.design.folder.paths import ResultsFolder

SOURCE = "viewers"
"""The sampler's name."""

LIMIT = 0.02
"""Share of one processor that watching may take inside a window."""


class Viewer(NamedTuple):
    """A process that shows a study: its pid, and its start in clock ticks since boot."""

    pid: int
    start_ticks: int


@contextmanager
def announced(folder: ResultsFolder, viewer: Viewer) -> Iterator[None]:
    """Announces a viewer for the length of the block; a folder that cannot be written has none."""
    file = folder.viewers / f"{viewer.pid}-{viewer.start_ticks}"
    with suppress(OSError):
        folder.viewers.mkdir(exist_ok=True)
        file.touch()
    try:
        yield
    finally:
        with suppress(OSError):
            file.unlink(missing_ok=True)


def viewers_of(folder: ResultsFolder) -> list[Viewer]:
    """Returns the announced viewers, of which some may have ended without a word."""
    try:
        names = sorted(path.name for path in folder.viewers.iterdir())
    except OSError:
        return []
    found = []
    for name in names:
        pid, _, start = name.partition("-")
        numbers = whole_number(pid), whole_number(start)
        if numbers[0] is not None and numbers[1] is not None:
            found.append(Viewer(numbers[0], numbers[1]))
    return found
