"""Reads the lines of time and waits of one load point from its profile window."""

from __future__ import annotations

from collections.abc import Iterator

from assay.base.tally import decode_many
from assay.design.folder import (
    WHOLE,
    CountedWaits,
    ProfileFolder,
    RunResult,
    ScheduledThreads,
    SwitchProfile,
    read_events,
    read_packed,
    read_window,
)
from assay.results.ledger.line import LedgerLine, MeasuredLoad
from assay.results.ledger.waits.counted import counted_lines
from assay.results.ledger.waits.time_ledger import OpenLoop, scheduled_lines, time_lines

SWITCHES, SCHEDSTAT, WAITS = "switches", "schedstat", "waits"
"""The sources of a profile window that this reads."""


def waiting_lines(folder: ProfileFolder, measured: MeasuredLoad) -> Iterator[LedgerLine]:
    """Yields the lines of the ledgers "time" and "waits"; none of what was not watched. Raises `Damaged`."""
    window = read_window(folder)
    if window is None:
        return
    loop = None if measured.kind == "threads" else _open_loop(folder)
    switches = read_packed(folder, SWITCHES, SwitchProfile)
    if switches is not None and switches.load.threads:
        yield from time_lines(switches, measured, loop)
    elif (scheduled := read_packed(folder, SCHEDSTAT, ScheduledThreads)) is not None:
        yield from scheduled_lines(scheduled, measured, loop)
    counted = read_packed(folder, WAITS, CountedWaits)
    of = window.counting
    if counted is not None and of is not None and of.seconds > 0:
        # From one reading of the counters to the next is longer: on a busy machine a reading takes a while.
        transactions = of.transactions * counted.window_ns / 1e9 / of.seconds
        yield from counted_lines(counted, transactions)


def _open_loop(folder: ProfileFolder) -> OpenLoop | None:
    """Returns the mean times of the watched load; None where it has no result."""
    result = next((one for one in read_events(folder.events) if isinstance(one, RunResult)), None)
    times = None if result is None else result.labels.get(WHOLE)
    if times is None or times.wait is None:
        return None
    wait, service = decode_many([times.wait, times.service])
    return OpenLoop(wait.mean / 1e3, service.mean / 1e3)
