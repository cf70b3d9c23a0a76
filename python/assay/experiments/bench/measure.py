"""Carries out one action of one workload on an existing server, for `assay bench`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import msgspec

from assay.base.errors import AssayError, Interrupted, ServerError
from assay.design.folder import (
    ActionResult,
    CheckOutcome,
    Doubt,
    Event,
    Hello,
    Interval,
    PhaseStart,
    Progress,
    RunResult,
)
from assay.design.study import SQL, is_script
from assay.experiments.bench.progress import BenchProgress
from assay.experiments.bench.record import Series, run_record
from assay.experiments.bench.request import Bench, Listener
from assay.measurement.calibration import calibration_for, near_ceiling
from assay.system.engine import Interrupts, JobOutcome, jobs, run_job
from assay.system.host import LookAround, Neighbours, measuring


class Addition(Protocol):
    """Figures of a single workload, added to those that every workload has."""

    def hear(self, event: Event) -> None:
        """Takes in an event of the engine."""

    def figures(self, result: RunResult) -> dict[str, Any]:
        """Returns the added figures by name; `result` is the engine's final result."""


@dataclass(frozen=True)
class ActionOutcome:
    """The outcome of an action: for `run` a result with its figures, for the others what was done.

    An action that broke before it did anything has neither; `error` says why, or how it was ended early.
    """

    bench: Bench
    result: RunResult | None
    done: ActionResult | None
    error: AssayError | None
    figures: dict[str, Any] = field(default_factory=dict)
    checks: Sequence[CheckOutcome] = ()
    doubts: Sequence[dict[str, Any]] = ()
    series: Series = field(default_factory=Series)

    @property
    def resized(self) -> bool:
        """Returns whether a table's row count differs from that of a fresh load."""
        return any(doubt["kind"] == "row-count" for doubt in self.doubts)

    def record(self) -> dict[str, Any] | None:
        """Returns the record for JSON; None where there is none. For a run it asks the server for its
        name.
        """
        if self.result is not None:
            return self.figures | run_record(self.bench, self.result, self.series)
        if self.done is not None:
            checks = {"checks": [msgspec.to_builtins(check) for check in self.checks]} if self.checks else {}
            return _done_record(self.bench, self.done) | checks | {"doubts": list(self.doubts)}
        return None


def measure(
    bench: Bench,
    progress: BenchProgress,
    *,
    listeners: Sequence[Listener] = (),
    addition: Addition | None = None,
) -> ActionOutcome:
    """Carries the action out and returns its outcome. Every event goes to the `listeners` in turn, then to
    `progress`.
    """
    watcher = _Watcher(bench, progress, [*listeners, *([] if addition is None else [addition.hear])])
    env = {} if bench.password is None else {jobs.PASSWORD_ENV: bench.password}
    with Interrupts() as interrupts, measuring(f"assay bench {bench.workload}"):
        watcher.interrupts = interrupts
        job = bench.job()
        if bench.action == "run":
            watcher.look = LookAround(job.target)
            watcher.neighbours = Neighbours(job.target)
        outcome = run_job(job, interrupts=interrupts, on_event=watcher.hear, env=env)
    found: dict[str, Any] = {}
    if outcome.result is not None:
        from assay.experiments.bench.figures import figures  # numpy, which would stand by during the load

        _doubt(bench, outcome.result, watcher)
        own = {} if addition is None else addition.figures(outcome.result)
        found = figures(outcome.result, settings=bench.settings(), own=own) | {"doubts": watcher.doubts}
        if watcher.hello is not None:
            found["engine"] |= {"version": watcher.hello.version, "build": watcher.hello.build}
    return ActionOutcome(
        bench,
        outcome.result,
        outcome.done,
        _error(bench, outcome, watcher, interrupted=bool(interrupts.requested)),
        found,
        watcher.checks,
        watcher.doubts,
        watcher.series,
    )


def _doubt(bench: Bench, result: RunResult, watcher: _Watcher) -> None:
    """Passes the lab's own doubts on as if the engine had raised them; what others did on the machine is one
    line.
    """
    ceiling = near_ceiling(result, calibration_for(bench.job()))
    if ceiling is not None:
        value, limit = ceiling.value or 0.0, ceiling.limit or 0.0
        watcher.hear(Doubt(kind=ceiling.kind, message=ceiling.message, value=value, limit=limit))
    if disturbances := list(watcher.neighbours.doubts() if watcher.neighbours else ()):
        for doubt in disturbances:
            watcher.keep(doubt)
        watcher.progress.note("; ".join(doubt.message for doubt in disturbances))


def _error(bench: Bench, outcome: JobOutcome, watcher: _Watcher, *, interrupted: bool) -> AssayError | None:
    if interrupted:
        return Interrupted(_until_then(bench, outcome, watcher))
    if watcher.too_many_failed:
        return ServerError(
            f"{watcher.failed:,} transactions failed, more than the {bench.max_failed:,} allowed:"
            " the run was stopped, and the figures cover the time until then"
        )
    return outcome.error


def _until_then(bench: Bench, outcome: JobOutcome, watcher: _Watcher) -> str:
    if outcome.result is not None:
        return "Interrupted; the figures cover the time until then."
    if bench.action != "prepare" or outcome.done is not None:
        return "Interrupted."
    loaded = watcher.loaded
    rows = "what was loaded until then is"
    if loaded is not None:
        rows = f"about {loaded.done:,} of {loaded.total:,} rows are"
    return f"Interrupted: {rows} in the tables. {_next_step(bench.workload)}"


def _next_step(workload: str) -> str:
    """Returns what to do about a load that was broken off: only workloads of the engine's own know which of
    their rows are there, and statements in a file say nothing of their tables' end.
    """
    if workload.startswith(SQL):
        return "Drop them, or their database, before the same command makes them anew."
    if is_script(workload):
        return "cleanup drops the tables, and the same command makes them anew."
    return "The same command with --resume continues from there; cleanup drops the tables."


def _done_record(bench: Bench, done: ActionResult) -> dict[str, Any]:
    cpu_us = done.engine.user_us + done.engine.system_us
    return {
        "workload": bench.workload,
        "action": done.action,
        "elapsed_s": done.elapsed_s,
        "tables": done.tables,
        "rows": done.rows,
        "engine": {"cpu_s": cpu_us / 1e6, "max_rss_bytes": done.engine.rss_bytes},
        "settings": bench.settings(),
    }


@dataclass
class _Watcher:
    """Receives the engine's events, keeps what the record needs, and passes all of them on."""

    bench: Bench
    progress: BenchProgress
    listeners: Sequence[Listener]
    hello: Hello | None = None
    doubts: list[dict[str, Any]] = field(default_factory=list)
    checks: list[CheckOutcome] = field(default_factory=list)
    phase_starts_ns: dict[str, int] = field(default_factory=dict)
    series: Series = field(default_factory=Series)
    failed: int = 0
    too_many_failed: bool = False
    neighbours: Neighbours | None = None
    look: LookAround | None = None
    loaded: Progress | None = None
    interrupts: Interrupts | None = None

    def hear(self, event: Event) -> None:
        self.keep(event)
        if self.look is not None:
            self.look.hear(event, self.progress.note)
        self.progress.event(event)

    def keep(self, event: Event) -> None:
        """Takes in an event of which the display hears otherwise."""
        for listener in self.listeners:
            listener(event)
        if self.neighbours is not None:
            self.neighbours.hear(event)
        match event:
            case Hello():
                self.hello = event
            case PhaseStart():
                self.phase_starts_ns[event.phase] = event.start_ns
            case Progress(phase="load", unit="rows"):
                self.loaded = event
            case Interval():
                self._interval(event)
            case CheckOutcome():
                self.checks.append(event)
            case Doubt():
                self.doubts.append(msgspec.to_builtins(event))
            case _:
                pass

    def _interval(self, interval: Interval) -> None:
        self.failed += interval.failed
        limit = self.bench.max_failed
        if limit is not None and self.failed > limit and not self.too_many_failed:
            self.too_many_failed = True
            if self.interrupts is not None:
                self.interrupts.end_window()
        if interval.phase in ("warmup", "measure"):
            elapsed_s = (interval.end_ns - self.phase_starts_ns[interval.phase]) / 1e9
            self.series.note(interval, elapsed_s)
