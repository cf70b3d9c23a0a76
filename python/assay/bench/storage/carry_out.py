"""Carries stages out, one engine after the other, and says on the way how it goes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
from rich.console import Console

from assay.engine.interrupts import Interrupts
from assay.engine.process import run_job
from assay.errors import AssayError
from assay.folder import (
    Doubt,
    ErrorEvent,
    Event,
    Hello,
    Interval,
    PhaseStart,
    Progress,
    RunResult,
    Verified,
)
from assay.format.job import DiskJob
from assay.host import measuring
from assay.printable import line as one_line
from assay.terminal.loading import LoadDisplay
from assay.terminal.neighbours import warn_before
from assay.wording import counted


@dataclass(frozen=True)
class Moment:
    """How far a phase is, and how many workers carry it out."""

    elapsed_s: float
    planned_s: float | None
    workers: int


Words = Callable[[Sequence[Interval], Moment], str]
"""Intervals in a line, and the moment at which the last of them ended."""


@dataclass
class Carried:
    """What came of one stage; no result when it broke before its window, or only read back."""

    result: RunResult | None = None
    verified: list[Verified] = field(default_factory=list)  # what reading back found, by worker
    doubts: list[dict[str, Any]] = field(default_factory=list)
    error: AssayError | None = None


def carry_out(
    jobs: Sequence[DiskJob], console: Console, *, interval_s: float = 1.0, line: Words | None = None
) -> tuple[list[Carried], bool]:
    """Runs the jobs in order until one breaks or somebody interrupts; says whether somebody did.

    A line about the load is printed every `interval_s`; 0 prints none.
    """
    done: list[Carried] = []
    warn_before()
    with Interrupts() as interrupts, measuring("assay fio or sysbench fileio"):
        for number, job in enumerate(jobs, 1):
            head = f"{number}/{len(jobs)} " if len(jobs) > 1 else ""
            watcher = _Watcher(console, head, interval_s, line or live_line)
            with watcher.loading:
                outcome = run_job(job, interrupts=interrupts, on_event=watcher)
            stage = Carried(outcome.result, watcher.verified, watcher.doubts)
            if not interrupts.requested:
                stage.error = outcome.error
            done.append(stage)
            if interrupts.requested or outcome.exit_code != 0:
                break
        return done, interrupts.requested


@dataclass
class _Watcher:
    """Listens to the engine."""

    console: Console
    head: str
    interval_s: float
    line: Words
    verified: list[Verified] = field(default_factory=list)
    doubts: list[dict[str, Any]] = field(default_factory=list)
    phases: dict[str, PhaseStart] = field(default_factory=dict)
    workers: int = 0
    told_ns: int = 0
    gathered: list[Interval] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.loading = LoadDisplay(self.console)

    def __call__(self, event: Event) -> None:
        match event:
            case Hello():
                self.workers = event.connections
            case PhaseStart():
                self.phases[event.phase] = event
            case Progress():
                self.loading.show(event)
            case Interval():
                self._interval(event)
            case Verified():
                self.verified.append(event)
            case Doubt():
                self.doubts.append(msgspec.to_builtins(event))
                self.console.print(f"! {one_line(event.message)}", markup=False)
            case ErrorEvent(fatal=False):
                self.console.print(f"! {one_line(event.message)}", markup=False)
            case _:
                pass

    def _interval(self, interval: Interval) -> None:
        if not self.interval_s or interval.phase not in ("warmup", "measure"):
            return
        if self.gathered and self.gathered[-1].phase != interval.phase:
            self.gathered.clear()
        self.gathered.append(interval)
        first = self.gathered[0]
        if interval.end_ns - first.start_ns >= (self.interval_s - 0.01) * 1e9:
            phase = self.phases[interval.phase]
            planned_s = None if phase.planned_ms is None else phase.planned_ms / 1e3
            moment = Moment((interval.end_ns - phase.start_ns) / 1e9, planned_s, self.workers)
            self.console.print(f"{self.head}{self.line(self.gathered, moment)}", markup=False)
            self.gathered.clear()


def live_line(intervals: Sequence[Interval], moment: Moment) -> str:
    """`[ 3s of 30s, 10% ]  64 workers  read 12,345 IOPS 48.2 MiB/s  write …  in flight 32`"""
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
