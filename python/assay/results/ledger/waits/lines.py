"""Reads the lines of time and waits of one load point from its profile window."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from assay.base.tally import decode_many
from assay.design.folder import (
    WHOLE,
    CountedWaits,
    ProfileFolder,
    ProfileWindow,
    RunResult,
    ScheduledThreads,
    SwitchProfile,
    read_events,
    read_packed,
)
from assay.results.ledger.line import LedgerLine, MeasuredLoad
from assay.results.ledger.waits.counted import counted_lines
from assay.results.ledger.waits.time_ledger import OpenLoop, scheduled_lines, time_lines

SWITCHES, SCHEDSTAT, WAITS = "switches", "schedstat", "waits"
"""The sources of a profile window that this reads."""


def times(
    folder: ProfileFolder, source: str, measured: MeasuredLoad, lost: Mapping[str, str]
) -> Iterator[LedgerLine] | str:
    """Returns the lines of the ledger "time" by switch records or by schedules of threads; none where the
    source is missing, and a reason where what it wrote gives none. Raises `Damaged`.

    `lost` says by name which files of the folder are not to be read.
    """
    switches = read_packed(folder, SWITCHES, SwitchProfile) if source == SWITCHES else None
    scheduled = read_packed(folder, SCHEDSTAT, ScheduledThreads) if source == SCHEDSTAT else None
    seen = switches or scheduled
    if seen is None:
        return iter(())
    if not (switches.load.threads if switches is not None else scheduled and scheduled.threads):
        return "no thread of the server was found to serve the load"
    if not seen.window_ns:
        return "it watched for no time at all"
    if not measured.total("time"):
        return "the time of a transaction was not measured in the window before"
    loop = None
    if measured.kind != "threads":
        if (why := lost.get(folder.events.name)) is not None:
            return f"the file of the watched load, {folder.events.name}, {why}"
        if (loop := _open_loop(folder)) is None:
            return "the times of the watched load are not known: it has no result"
    if switches is not None:
        return time_lines(switches, measured, loop)
    assert scheduled is not None
    return scheduled_lines(scheduled, measured, loop)


def counted_waits(folder: ProfileFolder, window: ProfileWindow) -> Iterator[LedgerLine] | str:
    """Returns the lines of the ledger "waits", and counts of InnoDB; none where nothing was counted, and a
    reason where that gives none. Raises `Damaged`.
    """
    counted, of = read_packed(folder, WAITS, CountedWaits), window.counting
    if counted is None:
        return iter(())
    if of is None or of.seconds <= 0:
        return "the stretch of the load in which the server counted is not known"
    # From one reading of the counters to the next is longer: on a busy machine a reading takes a while.
    transactions = of.transactions * counted.window_ns / 1e9 / of.seconds
    if transactions <= 0:
        return "the watched load ended no transaction while the server counted"
    return counted_lines(counted, transactions)


def _open_loop(folder: ProfileFolder) -> OpenLoop | None:
    """Returns the mean times of the watched load; None where it has no result."""
    result = next((one for one in read_events(folder.events) if isinstance(one, RunResult)), None)
    times = None if result is None else result.labels.get(WHOLE)
    if times is None or times.wait is None:
        return None
    wait, service = decode_many([times.wait, times.service])
    return OpenLoop(wait.mean / 1e3, service.mean / 1e3)
