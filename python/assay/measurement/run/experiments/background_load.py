"""Runs the workload's load in a thread beside an experiment, with its throughput second by second."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean

from assay.base import clock
from assay.base.errors import ServerError
from assay.base.format.job import EngineOptions, Phases
from assay.base.tally import times_ms
from assay.design.folder import Event, Hello, Interval, PhaseStart
from assay.measurement.run.experiments.stage import Stage
from assay.system.engine import JobOutcome, jobs


@dataclass
class BackgroundLoad:
    """A load that runs in a thread. Times are nanoseconds since 1970 (`assay.base.clock`)."""

    measuring: threading.Event = field(default_factory=threading.Event)
    over: threading.Event = field(default_factory=threading.Event)
    intervals: list[Interval] = field(default_factory=list)
    epoch_ns: int = 0
    outcome: JobOutcome | None = None
    failure: BaseException | None = None

    def hear(self, event: Event) -> None:
        """Keeps the intervals, and signals the beginning of the window."""
        match event:
            case Hello():
                self.epoch_ns = clock.wall_of(event.epoch_monotonic_ns)
            case PhaseStart(phase="measure"):
                self.measuring.set()
            case Interval(phase="measure"):
                self.intervals.append(event)
            case _:
                pass

    def require(self) -> None:
        """Raises the error that ended the load early. It is not called where the server was killed on
        purpose.
        """
        if self.failure is not None:
            raise self.failure
        if self.outcome is not None:
            self.outcome.require()

    def still_there(self, what: str) -> None:
        """Raises an error when the load has ended already, so that `what` happened on an idle server."""
        if self.over.is_set():
            self.require()
            raise ServerError(f"the load ended before {what}", hint="set a longer [load] measure")

    def tps(self, start_ns: int, end_ns: int) -> list[float]:
        """Returns the transactions a second of each whole interval that touches this stretch."""
        return [
            interval.transactions * 1e9 / (interval.end_ns - interval.start_ns)
            for interval in self._touching(start_ns, end_ns)
        ]

    def tps_before(self, end_ns: int) -> float:
        """Returns the mean rate of the intervals that ended by `end_ns`; 0 where none did."""
        found = [
            interval.transactions * 1e9 / (interval.end_ns - interval.start_ns)
            for interval in self.intervals
            if self.epoch_ns + interval.end_ns <= end_ns
        ]
        return fmean(found or [0.0])

    def longest_ms(self, start_ns: int, end_ns: int) -> dict[str, float]:
        """Returns the longest transaction or statement by label, in ms, of the intervals in this stretch."""
        longest: dict[str, float] = {}
        for interval in self._touching(start_ns, end_ns):
            for label, times in interval.labels.items():
                if times.count:
                    longest[label] = max(longest.get(label, 0.0), times_ms(times.service)["max"] or 0.0)
        return longest

    def _touching(self, start_ns: int, end_ns: int) -> list[Interval]:
        return [
            interval
            for interval in self.intervals
            if self.epoch_ns + interval.end_ns > start_ns and self.epoch_ns + interval.start_ns < end_ns
        ]


@contextmanager
def background_load(
    stage: Stage, seconds: float, *, keep: bool = True, ledger: Path | None = None
) -> Iterator[BackgroundLoad]:
    """Runs the load for `seconds` while the block runs; leaving the block waits for its end.

    `keep`: its events become those of the rung, with measures and a time line of their own. `ledger`: the
    file in which a workload that keeps one records its acknowledged commits.
    """
    background = BackgroundLoad()
    job = stage.job(
        "run",
        load=jobs.closed_loop(stage.sessions),
        phases=Phases(measure_ms=jobs.milliseconds(seconds), interval_ms=1000),
        engine=None if ledger is None else EngineOptions(ledger=str(ledger)),
    )

    def drive() -> None:
        try:
            background.outcome = stage.run(job, keep=keep, on_event=background.hear)
        except BaseException as error:  # raised again by those who ask
            background.failure = error
        finally:
            background.measuring.set()
            background.over.set()

    thread = threading.Thread(target=drive, name="load")
    thread.start()
    try:
        yield background
        _wait_for(thread)
    except BaseException:
        stage.end_engine()  # nobody wants the rest of the load
        raise
    finally:
        _wait_for(thread)
    stage.interrupts.raise_if_requested()


def _wait_for(thread: threading.Thread) -> None:
    """Waits for a thread in short steps, so that signals are heard."""
    while thread.is_alive():
        thread.join(0.2)
