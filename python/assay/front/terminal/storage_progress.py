"""Shows a load on files while it runs: a line every so often, doubts, and the progress of files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.console import Console

from assay.base.printable import line
from assay.base.wording import counted
from assay.design.folder import Doubt, ErrorEvent, Event, Hello, Interval, PhaseStart, Progress
from assay.front.terminal.loading import LoadDisplay
from assay.front.terminal.neighbours import warn


@dataclass(frozen=True)
class Moment:
    """The progress of a phase, and the number of workers that carry it out."""

    elapsed_s: float
    planned_s: float | None
    workers: int


Words = Callable[[Sequence[Interval], Moment], str]
"""Turns intervals, and the moment at which the last of them ended, into a line."""


class StorageDisplay(LoadDisplay):
    """Prints a line about the load, made by `words`, every `interval_s` seconds; 0 prints none."""

    def __init__(self, console: Console, *, interval_s: float = 1.0, words: Words | None = None) -> None:
        super().__init__(console)
        self._interval_s = interval_s
        self._words = words or live_line
        self.stage(1, 1)

    def note(self, message: str) -> None:
        """Prints a note on standard error."""
        warn(message)

    def stage(self, number: int, of: int) -> None:
        """Begins the display of another stage, whose number its lines have where there are several."""
        self.begin_anew()
        self._head = f"{number}/{of} " if of > 1 else ""
        self._phases: dict[str, PhaseStart] = {}
        self._gathered: list[Interval] = []
        self._workers = 0

    def event(self, event: Event) -> None:
        """Shows an event if it matters to a person."""
        match event:
            case Hello():
                self._workers = event.connections
            case PhaseStart():
                self._phases[event.phase] = event
            case Progress():
                self.show(event)
            case Interval(phase="warmup" | "measure") if self._interval_s:
                self._interval(event)
            case Doubt() | ErrorEvent(fatal=False):
                self._console.print(f"! {line(event.message)}", markup=False)
            case _:
                pass

    def _interval(self, interval: Interval) -> None:
        if self._gathered and self._gathered[-1].phase != interval.phase:
            self._gathered.clear()
        self._gathered.append(interval)
        first = self._gathered[0]
        if interval.end_ns - first.start_ns >= (self._interval_s - 0.01) * 1e9:
            phase = self._phases[interval.phase]
            planned_s = None if phase.planned_ms is None else phase.planned_ms / 1e3
            moment = Moment((interval.end_ns - phase.start_ns) / 1e9, planned_s, self._workers)
            self._console.print(f"{self._head}{self._words(self._gathered, moment)}", markup=False)
            self._gathered.clear()


def live_line(intervals: Sequence[Interval], moment: Moment) -> str:
    """Returns the line of an interval: `[ 3s of 30s, 10% ] 64 workers read 12,345 IOPS 48.2 MiB/s write … in
    flight 32`.
    """
    seconds = (intervals[-1].end_ns - intervals[0].start_ns) / 1e9
    where = "warm-up " if intervals[-1].phase == "warmup" else ""
    passed = f"{where}{moment.elapsed_s:.0f}s"
    if moment.planned_s:
        passed += f" of {moment.planned_s:.0f}s, {moment.elapsed_s / moment.planned_s:.0%}"
    parts = [f"[ {passed} ]", counted(moment.workers, "worker")]
    for name, number, moved in (("read", "reads", "read"), ("write", "writes", "written")):
        count = sum(getattr(interval, number) for interval in intervals)
        size = sum(getattr(interval.io_bytes, moved, 0) for interval in intervals)
        if count:
            parts.append(f"{name} {count / seconds:,.0f} IOPS {size / seconds / 2**20:,.1f} MiB/s")
    syncs = sum(interval.other for interval in intervals)
    if syncs:
        parts.append(f"sync {syncs / seconds:,.0f}/s")
    parts.append(f"in flight {intervals[-1].in_flight}")
    return "  ".join(parts)
