"""Carries a plan out, run by run: finished runs stay, all others are done, or done again."""

from __future__ import annotations

import errno
import time
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from assay.base import clock
from assay.base.errors import GeneratorLost, HostError, Interrupted
from assay.base.format.job import Target
from assay.design.folder import Manifest, ResultsFolder
from assay.design.folder.live import PAUSED
from assay.design.plan import (
    Plan,
    PlannedRun,
    Sizes,
    WorkloadSize,
    around_name,
    estimate,
    windows_and_around,
)
from assay.design.study import Study, StudyText
from assay.measurement.calibration import StepTook, keep_durations, kept_durations
from assay.measurement.fleet import Backend
from assay.measurement.run import journal
from assay.measurement.run.one_run import OneRun
from assay.measurement.run.preflight import preflight
from assay.measurement.run.progress import RunProgress
from assay.measurement.run.run_task import OnHost, RunContext, RunTask
from assay.measurement.run.stopping import asked_of_lab, stopped, with_kept
from assay.measurement.source import Need, knobs_for
from assay.measurement.source.dataset import datasets
from assay.system.engine import Interrupts, jobs, sizes
from assay.system.host import measuring, warning_before
from assay.system.server import free_bytes, home, parse_dsn


@dataclass(frozen=True)
class Outcome:
    """The outcome of `execute`. `failed` holds run id and reason of the runs that failed this time, and of
    those that have failed too often to be done again."""

    done: int
    skipped: int
    failed: tuple[tuple[str, str], ...]
    seconds: float


def execute(
    study: Study,
    plan: Plan,
    folder: ResultsFolder,
    progress: RunProgress,
    source: StudyText,
    copies_margin: float | None = None,
    backend: Backend | None = None,
    on_host: OnHost | None = None,
) -> Outcome:
    """Carries out every run of the plan that is not finished, in the plan's order, and leaves a folder for
    each.

    `source` is the study file: the folder keeps a copy, and `copies_margin`. `backend` is
    where generators run, and `on_host` the host of a fleet that this process works for. Raises
    `ConflictError` when the folder holds another study's results, the pre-flight's errors before any load,
    `Interrupted` after a signal; finished runs stay.
    """
    began = time.monotonic()
    journal.check_same_study(folder, study, seed=plan.seed)
    with (
        Interrupts() as interrupts,
        measuring(f"assay run {study.name} in {folder.path.absolute()}"),
        knobs_for(plan) as knobs,
    ):
        needs: list[Need] = []
        sources = preflight(
            study,
            plan,
            folder,
            source,
            interrupts=interrupts,
            progress=progress,
            knobs=knobs,
            backend=backend,
            needs=needs,
        )
        missing = sum(need.missing_datasets for need in needs)
        load_hosts = () if backend is None else backend.placed_on()
        here: journal.Hosts = {None if on_host is None else on_host.name: load_hosts}
        with told_in_words(folder), journal.opened(folder, study, plan, source.kept.encode(), copies_margin):
            done, skipped = 0, -1
            lost: Counter[int] = Counter()
            while True:
                for line in journal.clear_away(folder, plan, study.design.redo, time.time_ns(), here):
                    progress.note(f"! {line}")
                left = journal.given_up(folder, study.design.redo)
                over = {manifest.run_id for manifest in journal.completed(folder)} | left.keys()
                context = RunContext(
                    study, plan, folder, sources, progress, interrupts, backend, on_host, load_hosts
                )
                ahead = [run for run in plan.runs if run.run_id not in over]
                skipped = len(plan.runs) - len(ahead) if skipped < 0 else skipped
                if ahead and (warning := warning_before(_running_server(plan))):
                    progress.note(f"! {warning}")
                try:
                    carried = _carry_out_all(context, ahead, over, missing)
                finally:
                    for line in knobs.left if knobs else ():
                        progress.note(line)
                done += carried.done
                if carried.lost is not None:
                    _go_on_after(carried.lost, lost, progress)
                    continue
                if not carried.paused:
                    break
                # What follows a pause follows it as in a new command: a torn block is done again.
                _wait_to_go_on(context)
    return Outcome(
        done=done,
        skipped=skipped,
        failed=(*left.items(), *carried.failed),
        seconds=time.monotonic() - began,
    )


@contextmanager
def told_in_words(folder: ResultsFolder) -> Iterator[None]:
    """Turns a full or unwritable disk into a HostError that names the place, which ends the study."""
    try:
        yield
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        place = next((path for path in (folder.path, home()) if full and _is_full(path)), None)
        raise HostError(
            f"cannot write in {place or error.filename or folder.path}: {reason}",
            hint=(
                "free some space there; the same command continues: finished runs are kept"
                if full
                else "give another folder with --results, or set ASSAY_HOME; finished runs are kept"
            ),
        ) from error


_FULL_BYTES = 1 << 20


def _is_full(path: Path) -> bool:
    return free_bytes(path) < _FULL_BYTES


def _running_server(plan: Plan) -> Target | None:
    """Returns the address of a running server that takes the load; None when all servers are the lab's."""
    uses = (treatment.server_use for treatment in plan.treatments)
    return next((jobs.target(parse_dsn(use)) for use in uses if use.startswith("dsn:")), None)


@dataclass(frozen=True)
class _Carried:
    """The runs that one pass over the plan did: how many, and which failed. `paused`: others are left.
    `lost`: a generator was lost, in this block and for this reason.
    """

    done: int
    failed: list[tuple[str, str]]
    paused: bool = False
    lost: tuple[int, str] | None = None


_BEGUN_AGAIN = 2
"""How often one command begins a block again that has lost a generator."""


def _go_on_after(loss: tuple[int, str], lost: Counter[int], progress: RunProgress) -> None:
    """Counts the loss of a generator. Raises `GeneratorLost` where its block has lost one too often."""
    block, why = loss
    lost[block] += 1
    if lost[block] > _BEGUN_AGAIN:
        raise GeneratorLost(
            f"block {block} has lost a generator {lost[block]} times, the last time: {why}",
            hint="look after that host, or leave it out; the same command continues: finished runs are kept",
        )
    progress.note(f"! block {block} is begun again: {why}")


def _carry_out_all(
    context: RunContext, ahead: list[PlannedRun], over: set[str], missing_datasets: int
) -> _Carried:
    plan, progress = context.plan, context.progress
    total = len(plan.runs)
    known = sizes(plan)
    left = estimate(
        context.study,
        plan,
        known,
        over,
        known=kept_durations().expected_s,
        missing_datasets=missing_datasets,
    )
    progress.begin(
        runs=total,
        done=total - len(ahead),
        loading_s=left.loading_s,
        run_s=left.runs_s / max(len(ahead), 1),
        judging_s=left.judging_s,
    )
    if left.caveat:
        progress.note(left.caveat)
    done = 0
    failed: list[tuple[str, str]] = []
    try:
        in_blocks = (plan.treatment(run.treatment).in_block(run.block) for run in ahead)
        needed = {(one.name, one.data_load): one for one in in_blocks}
        there = {dataset.manifest.id for dataset in datasets()}
        with context.sources.loaded(
            list(needed.values()), step=progress.step, note=progress.note, listener=progress.event
        ):
            keep_durations(_loads_since(there))
            for number, run in enumerate(ahead, start=total - len(ahead) + 1):
                context.interrupts.raise_if_requested()
                asked = asked_of_lab(context.folder)
                if asked == "stop":
                    raise stopped()
                if asked == "pause":
                    return _Carried(done, failed, paused=True)
                clock.follow_wall()
                progress.run_started(run.run_id, number)
                manifest = OneRun(RunTask(context, run)).carry_out()
                if manifest.failure is not None:
                    failed.append((run.run_id, manifest.failure.message))
                    if manifest.failure.kind == GeneratorLost.__name__:
                        return _Carried(done, failed, lost=(run.block, manifest.failure.message))
                else:
                    done += 1
                    keep_durations(_around(context, manifest, known))
    except Interrupted as stop:
        raise with_kept(context.folder, context.plan, stop) from stop
    finally:
        progress.end()
    return _Carried(done, failed)


def _loads_since(there: Collection[str]) -> Iterator[StepTook]:
    """Yields the loads of datasets that are not among these."""
    for dataset in datasets():
        one = dataset.manifest
        if one.id not in there:
            yield StepTook(kind="loading", what=one.workload, size=one.rows, seconds=one.seconds)


def _around(context: RunContext, manifest: Manifest, sizes: Sizes) -> Iterator[StepTook]:
    """Yields what a complete run took beside its windows: restoring, starting, checking, stopping."""
    treatment = context.plan.treatment(manifest.treatment)
    size = sizes.get(treatment.name, WorkloadSize(rows=0, bytes=0, statements=0))
    windows_s, _ = windows_and_around(context.study, context.plan, treatment, size)
    took_s = (manifest.ended_wall_ns - manifest.started_wall_ns) / 1e9
    if took_s > windows_s:
        yield StepTook(
            kind="around", what=around_name(treatment), size=size.bytes, seconds=took_s - windows_s
        )


_LOOK_S = 0.5


def _wait_to_go_on(context: RunContext) -> None:
    """Waits until the pause that was asked for is over. Raises Interrupted after a signal, or when the end is
    asked for.
    """
    context.progress.step(PAUSED)
    context.progress.note("paused, as was asked on the page of this study; Ctrl-C ends it")
    try:
        while (asked := asked_of_lab(context.folder)) == "pause":
            context.interrupts.raise_if_requested()
            time.sleep(_LOOK_S)
        if asked == "stop":
            raise stopped()
    except Interrupted as stop:
        raise with_kept(context.folder, context.plan, stop) from stop
