"""Writes `live.jsonl` while a study is carried out, beside the display that a person looks at."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from assay.base import clock
from assay.base.appended import AppendedFile, faults_of, said_of
from assay.base.decoding import why_unreadable
from assay.base.errors import AssayError, Interrupted
from assay.base.version import VERSION
from assay.design.folder import Damaged, Doubted, Event, Failure, Progress, ResultsFolder, read_manifest
from assay.design.folder.live import (
    Advanced,
    EndReason,
    LabBegan,
    LabEnded,
    LiveLine,
    PlannedLine,
    Remark,
    RunBegun,
    RunOver,
    StepTaken,
    encode_line,
)
from assay.design.plan import Plan
from assay.design.study import Study
from assay.reporting.live.time_left import time_left
from assay.system.server.process import ProcessId

if TYPE_CHECKING:
    from assay.measurement.run import RunProgress

_APART_NS = 1_000_000_000
"""Between two lines about the progress of one step: a load says how far it is many times a second."""


class Recorded:
    """A `RunProgress` that passes everything on to the one that is shown, and appends it to `live.jsonl`.

    Each line is written and flushed at once, so that a kill loses none. Notes that come before the folder is
    there are written when the study begins. A file that cannot be written does not disturb the study: it is
    noted once, and no more is written.
    """

    def __init__(
        self, shown: RunProgress, folder: ResultsFolder, now: Callable[[], int] = clock.wall_ns
    ) -> None:
        self._shown, self._folder, self._now = shown, folder, now
        self._file = AppendedFile(folder.live)
        self._study: Study | None = None
        self._plan: Plan | None = None
        self._early: list[str] = []
        self._took_s: dict[str, list[float]] = defaultdict(list)
        self._ahead: dict[str, str] = {}
        """The treatment of each run that is not over."""
        self._began_ns: dict[str, int] = {}
        self._hosts = 1
        self._run_s, self._advanced_ns = 0.0, 0
        self._may_widen = False
        self._begun = self._broken = False
        self.failed = 0

    def planned(self, study: Study, plan: Plan, *, hosts: int = 1) -> None:
        """Tells what is about to be carried out, and on how many hosts; to be called before `begin`."""
        self._study, self._plan, self._hosts = study, plan, hosts

    def begin(self, *, runs: int, done: int, loading_s: float, run_s: float, judging_s: float = 0.0) -> None:
        assert self._study is not None
        assert self._plan is not None
        study, plan = self._study, self._plan
        over = self._finished()
        self._ahead = {run.run_id: run.treatment for run in plan.runs if run.run_id not in over}
        self._began_ns.clear()
        self._run_s, self.failed = run_s, 0
        self._may_widen = study.load.warmup.kind == "until-steady" or bool(study.storage.rounds)
        if faults := [one for one in faults_of(self._folder.live) if not one.is_torn]:
            self.note(f"! {said_of(faults)}")
        me = ProcessId.of(os.getpid())
        self._begun = True
        self._write(
            LabBegan(
                at_wall_ns=self._now(),
                pid=os.getpid(),
                start_ticks=0 if me is None else me.start_ticks,
                assay=VERSION,
                study=study.name,
                seed=plan.seed,
                load_kind=plan.load_kind,
                loads=list(plan.loads),
                treatments=[treatment.name for treatment in plan.treatments],
                rung_s=study.load.warmup.seconds + study.load.measure_s,
                may_widen=self._may_widen,
                done=[run.run_id for run in plan.runs if run.run_id in over],
                loading_s=round(loading_s, 1),
                run_s=round(run_s * self._hosts, 1),
                hosts=self._hosts,
                plan=[
                    PlannedLine(
                        run=run.run_id, treatment=run.treatment, block=run.block, loads=list(run.loads)
                    )
                    for run in plan.runs
                ],
            )
        )
        for text in self._early:
            self._write(Remark(at_wall_ns=self._now(), text=text))
        self._early.clear()
        self._shown.begin(runs=runs, done=done, loading_s=loading_s, run_s=run_s, judging_s=judging_s)

    def run_started(self, run_id: str, number: int) -> None:
        now = self._began_ns[run_id] = self._now()
        left = time_left(
            list(self._ahead.values()),
            self._took_s,
            planned_s=self._run_s * self._hosts,
            failed=self.failed,
            may_widen=self._may_widen,
            hosts=self._hosts,
        )
        self._write(RunBegun(at_wall_ns=now, run=run_id, number=number, left=left))
        self._shown.run_started(run_id, number)

    def step(self, what: str) -> None:
        self._advanced_ns = 0
        self._write(StepTaken(at_wall_ns=self._now(), what=what))
        self._shown.step(what)

    def event(self, event: Event) -> None:
        if isinstance(event, Progress):
            now = self._now()
            if now - self._advanced_ns >= _APART_NS or event.done == event.total:
                self._advanced_ns = now
                self._write(
                    Advanced(
                        at_wall_ns=now,
                        phase=event.phase,
                        done=event.done,
                        total=event.total,
                        unit=event.unit,
                    )
                )
        self._shown.event(event)

    def run_finished(self, run_id: str, *, headline: str, failure: Failure | None) -> None:
        now = self._now()
        treatment, began_ns = self._ahead.pop(run_id, None), self._began_ns.pop(run_id, now)
        if treatment is not None and failure is None:
            self._took_s[treatment].append((now - began_ns) / 1e9)
        self.failed += failure is not None
        why = None if failure is None else failure.message
        over = RunOver(
            at_wall_ns=now, run=run_id, headline=headline, failure=why, doubts=self._doubts_about(run_id)
        )
        self._write(over)
        self._shown.run_finished(run_id, headline=headline, failure=failure)

    def note(self, message: str) -> None:
        if self._begun:
            self._write(Remark(at_wall_ns=self._now(), text=message))
        else:
            self._early.append(message)
        self._shown.note(message)

    def end(self) -> None:
        self._shown.end()

    def ended(self, why: EndReason, message: str | None = None) -> None:
        """Writes that the lab stops working on the study; nothing where it never began."""
        if self._begun:
            self._write(LabEnded(at_wall_ns=self._now(), why=why, message=message))

    def _doubts_about(self, run_id: str) -> list[Doubted]:
        """Returns the lab's own doubts about a run that is over; none where its folder cannot be read."""
        try:
            return read_manifest(self._folder.run(run_id)).doubts
        except AssayError:  # the report says so
            return []

    def _finished(self) -> set[str]:
        """Returns the runs that are there, and takes in how long they took."""
        self._took_s.clear()
        over = set()
        for run in self._folder.finished_runs():
            try:
                manifest = read_manifest(run)
            except Damaged:  # the report says so
                continue
            over.add(manifest.run_id)
            if manifest.status == "complete" and manifest.started_wall_ns:
                seconds = (manifest.ended_wall_ns - manifest.started_wall_ns) / 1e9
                self._took_s[manifest.treatment].append(seconds)
        return over

    def _write(self, line: LiveLine) -> None:
        if self._broken or not self._begun:
            return
        try:
            self._file.append(encode_line(line))
        except OSError as error:
            self._give_up(error)

    def _give_up(self, error: OSError) -> None:
        self._broken = True
        self._shown.note(
            f"! {self._folder.live} cannot be written, so no page shows this study: {why_unreadable(error)}"
        )


@contextmanager
def recorded(shown: RunProgress, folder: ResultsFolder) -> Iterator[Recorded]:
    """Yields a progress that is recorded in the folder, and records in the end how the study ended.

    A progress that is recorded already is yielded as it is: several calls that carry parts of one study out
    have one end.
    """
    if isinstance(shown, Recorded):
        yield shown
        return
    record = Recorded(shown, folder)
    try:
        yield record
    except Interrupted as stop:
        record.ended("interrupted", stop.message)
        raise
    except AssayError as error:
        record.ended("error", error.message)
        raise
    except BaseException as error:
        record.ended("error", f"{type(error).__name__}: {error}")
        raise
    record.ended("failed-runs" if record.failed else "complete")
