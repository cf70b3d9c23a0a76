"""Reads the engine's events of one rung."""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec
import numpy as np
from numpy.typing import NDArray

from assay.design.folder import (
    Doubt,
    ErrorEvent,
    FinderRecord,
    Hello,
    Interval,
    PhaseStart,
    RunFolder,
    RungEntry,
    RunResult,
    damaged,
    read_events,
    read_found,
    read_job,
)

Floats = NDArray[np.float64]


@dataclass
class Rung:
    """Events of one load point; `hello` and `result` are None when the engine never got so far."""

    number: int  # from 1
    entry: RungEntry
    job: dict[str, object]
    hello: Hello | None = None
    result: RunResult | None = None
    phases: dict[str, int] = field(default_factory=dict)  # phase -> start, ns since the epoch
    intervals: list[Interval] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    errors: list[ErrorEvent] = field(default_factory=list)
    found: list[FinderRecord] = field(default_factory=list)

    @property
    def epoch_ns(self) -> int:
        """The engine's epoch on the wall clock, in ns."""
        return self.hello.epoch_wall_ns if self.hello else 0

    def window_ns(self) -> tuple[int, int] | None:
        """Returns start and end of the measured window on the wall clock, in ns; None when it never began."""
        if self.result:
            return self.epoch_ns + self.result.start_ns, self.epoch_ns + self.result.end_ns
        if "measure" not in self.phases:
            return None
        start = self.phases["measure"]
        end = max((i.end_ns for i in self.intervals if i.phase == "measure"), default=start)
        return self.epoch_ns + start, self.epoch_ns + end

    def load_ns(self) -> tuple[int, int] | None:
        """Returns the start of the load, warm-up included, and the end of the window on the wall clock, in
        ns.
        """
        window = self.window_ns()
        if window is None:
            return None
        return self.epoch_ns + min(i.start_ns for i in self.intervals) if self.intervals else window[
            0
        ], window[1]

    def progress(self) -> tuple[Floats, Floats]:
        """Returns wall-clock times (ns) in the measured window, and how many queries had ended by each of
        them.
        """
        measured = [i for i in self.intervals if i.phase == "measure"]
        if not measured:
            return np.empty(0), np.empty(0)
        times = [measured[0].start_ns, *(i.end_ns for i in measured)]
        queries = np.concatenate(([0], np.cumsum([i.queries for i in measured])))
        return np.array(times, dtype=np.float64) + self.epoch_ns, queries.astype(np.float64)


def read_rung(folder: RunFolder, number: int, entry: RungEntry) -> Rung:
    """Returns the rung's job and events. Raises `InputError` when a file is damaged."""
    recorded = folder.rung_at(entry.dir)
    events = recorded.events
    rung = Rung(number, entry, read_job(folder, entry.dir))
    rung.found = read_found(recorded)
    if not events.is_file():
        return rung
    try:
        for event in read_events(events):
            _take(rung, event)
    except (OSError, msgspec.DecodeError) as error:
        raise damaged(events, folder.path, error) from error
    return rung


def _take(rung: Rung, event: object) -> None:
    match event:
        case Interval():
            rung.intervals.append(event)
        case Hello():
            rung.hello = event
        case PhaseStart():
            rung.phases.setdefault(event.phase, event.start_ns)
        case RunResult():
            rung.result = event
        case Doubt():
            rung.doubts.append(event)
        case ErrorEvent():
            rung.errors.append(event)
