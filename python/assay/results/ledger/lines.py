"""Reads the lines of one load point from what was watched after its measured window."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial

from assay.base.decoding import UNREADABLE, why_unreadable
from assay.design.folder import (
    Damaged,
    ProfileFolder,
    ProfileWindow,
    RungFolder,
    StackProfile,
    read_packed,
    read_window,
)
from assay.results.ledger.frames import Frame, frames_of
from assay.results.ledger.line import LedgerLine, MeasuredLoad
from assay.results.ledger.processor import GroupedStacks, grouped_stacks, processor_lines, unseen_share
from assay.results.ledger.waits.lines import SCHEDSTAT, SWITCHES, WAITS, counted_waits, times

STACKS, LOAD = "stacks", "load"
"""Sources: call stacks, and the watched load itself."""


@dataclass
class WatchedLoad:
    """What was watched of one load point: its window, None where that cannot be read, the lines that add up
    to the totals of the measured window, and the call tree in microseconds of a query.

    `unread` says by source why what it wrote gives no lines, each a sentence without a full stop.
    """

    window: ProfileWindow | None = None
    lines: list[LedgerLine] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)
    unread: dict[str, str] = field(default_factory=dict)


class _Unusable(Exception):
    """What a source wrote can be read, and gives no lines for the reason that this says."""


def watched_load(
    rung: RungFolder, measured: MeasuredLoad, lost: Mapping[str, str] | None = None
) -> WatchedLoad | None:
    """Returns what was watched of a load point; None where nothing was. `lost` says by the names of files in
    the folder what became of them since: they are not read.

    A file that cannot be read takes the lines of its own source, and no others.
    """
    found, gone = WatchedLoad(), lost or {}
    folder = rung.profile
    if (why := gone.get(folder.window.name)) is not None:
        found.unread[LOAD] = f"its file {folder.window.name} {why}"
        return found
    try:
        window = read_window(folder)
    except Damaged as error:
        found.unread[LOAD] = f"its file {folder.window.name} is damaged: {error.why}"
        return found
    if window is None:
        return None
    found.window = window

    def read(source: str, lines: Callable[[], Iterator[LedgerLine]]) -> None:
        """Takes the lines of one source, all or none."""
        name = folder.packed(source).name
        if (why := gone.get(name)) is not None:
            found.unread[source] = f"its file {name} {why}"
            return
        if not folder.packed(source).is_file():
            if source in window.sources and window.sources[source].read:
                found.unread[source] = f"its file {name} is missing"
            return
        try:
            taken = list(lines())
        except _Unusable as error:
            found.unread[source] = str(error)
        except Damaged as error:
            found.unread[source] = f"its file {name} is damaged: {error.why}"
        except UNREADABLE as error:
            found.unread[source] = f"its file {name} is damaged: {why_unreadable(error)}"
        else:
            found.lines += taken

    def processor() -> Iterator[LedgerLine]:
        stacks = _stacks(folder, window, measured)
        if stacks is not None:
            grouped, cpu_us = stacks
            yield from processor_lines(grouped, window, cpu_us)
            found.frames = list(frames_of(grouped, window, cpu_us))

    read(STACKS, processor)
    for source in (SWITCHES, SCHEDSTAT):
        if not any(line.ledger == "time" for line in found.lines):
            read(source, partial(_times, folder, source, measured, gone))
    read(WAITS, lambda: _or_said(counted_waits(folder, window)))
    return found


def _stacks(
    folder: ProfileFolder, window: ProfileWindow, measured: MeasuredLoad
) -> tuple[GroupedStacks, float] | None:
    """Returns the call stacks and the processor time of a query; None where there are none.

    Raises `_Unusable` where the two give no lines.
    """
    profile = read_packed(folder, STACKS, StackProfile)
    if profile is None:
        return None
    cpu_us = measured.total("cpu")
    if cpu_us is None:
        raise _Unusable("the server's processor time of a query was not measured in the window before")
    if not profile.samples:
        raise _Unusable("it recorded no sample of the server")
    if unseen_share(profile, window) is None:
        raise _Unusable(
            "it could not see into the kernel, and how much of the server's time that took is not known"
        )
    return grouped_stacks(profile), cpu_us


def _times(
    folder: ProfileFolder, source: str, measured: MeasuredLoad, gone: Mapping[str, str]
) -> Iterator[LedgerLine]:
    return _or_said(times(folder, source, measured, gone))


def _or_said(lines: Iterator[LedgerLine] | str) -> Iterator[LedgerLine]:
    """Returns lines; raises `_Unusable` for the reason that stands in their place."""
    if isinstance(lines, str):
        raise _Unusable(lines)
    return lines
