"""Carries out one treatment in one block: starts, samples and loads it rung by rung, and leaves its
folder.
"""

from __future__ import annotations

import errno
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import msgspec

from assay.base import clock
from assay.base.errors import AssayError, ConflictError, HostError, InputError, Interrupted
from assay.base.format.job import Action, AnyJob, Job
from assay.base.version import VERSION
from assay.design.folder import (
    Doubted,
    Event,
    Failure,
    Hello,
    HostEntry,
    Manifest,
    RungEntry,
    RungFolder,
    SamplerEntry,
    VolumeEntry,
    add_found,
)
from assay.design.plan import PlannedExperiment
from assay.design.study import file_hashes
from assay.measurement.calibration import calibration_for, near_ceiling
from assay.measurement.fleet import LocalBackend, run_fleet
from assay.measurement.run.device_failure import DeviceFailure
from assay.measurement.run.experiments import EXPERIMENTS, Stage
from assay.measurement.run.journal import finish
from assay.measurement.run.load_site import LoadSite, Rung
from assay.measurement.run.on_server import OnServer
from assay.measurement.run.on_storage import OnStorage
from assay.measurement.run.profile.window import Profiled, profiled
from assay.measurement.run.run_task import RunTask
from assay.measurement.run.sampling import Watch
from assay.measurement.source import OwnServer, Server, Storage, drifted, volume_entry, with_last_words
from assay.measurement.source.dataset import DATA_SEED
from assay.system.engine import JobOutcome, has_conditions, jobs, run_job
from assay.system.server import Connection
from assay.system.server.variables import NotInForce, global_status

_NOT_THE_RUNS_FAULT = (InputError, HostError, ConflictError, Interrupted, NotInForce)
"""Errors that end the study, since the next run would meet them too."""

_MET_BY_THE_NEXT = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EMFILE}
"""System errors that the next run would meet too: no space, no right to write."""


_COUNTED_S = 5.0
_STEP_S = 0.1
"""A step of the wall clock that moves what is drawn on a time line; NTP corrects less by its rate."""


def _clock_was_set() -> Iterator[Doubted]:
    """Yields a doubt where the wall clock was set while the run went on."""
    step_s = clock.stepped_s()
    if abs(step_s) > _STEP_S:
        message = f"the machine's clock was set by {step_s:+.3g} s during the run"
        yield Doubted(kind="clock-set", message=message, value=step_s, limit=_STEP_S)


def _questions(connection: Connection) -> int | None:
    """Returns the server's own count of statements; None where it does not say it."""
    try:
        return int(global_status(connection, "Questions")["Questions"])
    except (AssayError, KeyError, ValueError):
        return None


@dataclass
class OneRun:
    """A run while it is carried out, with the content of its manifest."""

    task: RunTask
    rungs: list[RungEntry] = field(default_factory=list)
    doubts: list[Doubted] = field(default_factory=list)
    headlines: list[tuple[float, str]] = field(default_factory=list)
    """The load of a rung, and what it came to."""
    engine_version: str = "unknown"
    dataset: dict[str, Any] = field(default_factory=dict)
    server: dict[str, Any] = field(default_factory=dict)
    host: list[HostEntry] = field(default_factory=list)
    volume: VolumeEntry | None = None
    samplers: dict[str, SamplerEntry] = field(default_factory=dict)
    _profiled: list[Profiled] = field(default_factory=list)

    def carry_out(self) -> Manifest:
        """Carries out the run and leaves its folder, complete or marked as failed.

        A server that refuses, dies or goes away fails the run, which is recorded. Any error that the next run
        would meet as well (a wrong study, a full disk, an interrupt) is raised and leaves the run to be
        redone.
        """
        shutil.rmtree(self.task.work.path, ignore_errors=True)
        self.task.work.path.mkdir(parents=True)
        started, failure = clock.wall_ns(), None
        try:
            self._measure()
        except _NOT_THE_RUNS_FAULT:
            raise
        except AssayError as error:
            failure = self._failure(error)
        except OSError as error:
            if error.errno in _MET_BY_THE_NEXT:
                raise  # `execute` says where
            failure = self._failure(HostError(f"this machine refused an operation: {error}"))
        manifest = self._manifest(started, failure)
        finish(self.task.context.folder, manifest)
        self.task.context.progress.run_finished(
            self.task.planned.run_id, headline=self._headline(), failure=failure
        )
        return manifest

    def _headline(self) -> str:
        """Returns what the rungs came to, by ascending load, whatever their order was."""
        return "; ".join(said for _, said in sorted(self.headlines, key=lambda one: one[0]))

    def _measure(self) -> None:
        context, task = self.task.context, self.task
        with context.sources.started(task.treatment, task.work, context.progress.step) as under_test:
            self.dataset, self.server = under_test.dataset, under_test.description
            self.host, self.volume = list(under_test.host), volume_entry(under_test.volume)
            if isinstance(under_test, Storage):
                self._load(under_test, OnStorage(task, under_test))
                return
            try:
                self._load(under_test, OnServer(task, under_test))
            except AssayError as error:
                if isinstance(error, _NOT_THE_RUNS_FAULT):
                    raise
                raise with_last_words(error, under_test) from error
        for one in self._profiled:
            context.progress.step("reading what the profile window saw")
            one.write()

    def _load(self, under_test: Server | Storage, site: LoadSite) -> None:
        context, what = self.task.context, self.task.treatment.experiment
        site.begin()
        rungs: list[Rung] = []
        with Watch(under_test, self.task.work, site.counters(), context.folder) as watch:
            for number, load in enumerate(self.task.planned.loads, start=1):
                context.interrupts.raise_if_requested()
                rung = self._begin(number, load)
                rungs.append(rung)
                if what is None:
                    self._rung(rung, under_test, site, watch)
                else:
                    self._experiment(what, rung, under_test, watch)
                self.rungs[-1] = msgspec.structs.replace(rung.entry, status="complete")
            # After all that is measured, so that no measured load follows a watched one.
            for rung in rungs if context.study.load.profile_s else ():
                self._profile(rung, under_test, site, watch)
        self.doubts += [*under_test.doubts, *watch.doubts(), *drifted(self.host)]
        self.samplers = watch.samplers()
        self.doubts += site.end()

    def _begin(self, number: int, load: float) -> Rung:
        """Returns the rung with its folder made; it counts as failed until it has ended."""
        kind, work = self.task.context.plan.load_kind, self.task.work
        folder = work.rung(number, kind, load)
        folder.path.mkdir(parents=True)
        entry = RungEntry(dir=work.inside(folder.path), kind=kind, load=load, status="failed")
        self.rungs.append(entry)
        return Rung(number, load, entry, folder)

    def _rung(self, rung: Rung, under_test: Server | Storage, site: LoadSite, watch: Watch) -> None:
        context = self.task.context
        job = site.job(rung)
        rung.folder.job.write_bytes(msgspec.json.format(msgspec.json.encode(job)))
        self.doubts += site.before(rung, job)
        point = f"{rung.entry.kind} {rung.load:g}"
        context.progress.step(point)
        with DeviceFailure(under_test.volume, self._heard) as failure:
            outcome = self._run_job(job, rung.folder, under_test, watch, failure.hear)
        context.interrupts.raise_if_requested()
        failure.record(rung.folder)
        result = failure.require(outcome).result
        assert result is not None
        site.after(rung)
        # Generators on this machine reach what one engine with as many event loops does. The ceiling of
        # others is known to their backend, which has judged it.
        backend = context.backend
        elsewhere = bool(result.generators) and backend is not None and backend.name != "local"
        calibration = None if elsewhere else calibration_for(job)
        ceiling = near_ceiling(result, calibration, rung.entry.dir)
        self.doubts += [*([] if ceiling is None else [ceiling]), *failure.doubts(rung.entry.dir)]
        self.headlines.append((rung.load, f"{point}: {site.headline(result)}"))

    def _profile(self, rung: Rung, under_test: Server | Storage, site: LoadSite, watch: Watch) -> None:
        """Carries a rung's load out once more, watched."""
        context, job = self.task.context, site.job(rung)
        assert isinstance(job, Job)
        assert not isinstance(under_test, Storage)

        def carry_out(again: Job, folder: RungFolder, hear: Callable[[Event], None]) -> JobOutcome:
            return self._run_job(again, folder, under_test, watch, hear)

        context.progress.step(f"profile window at load {rung.load:g}")
        flavour, folder = str(self.server.get("flavour", "")), rung.folder.profile
        end_load = context.interrupts.end_window
        shape = context.study.load
        self._profiled.append(profiled(under_test, flavour, folder, job, shape, carry_out, end_load))
        context.interrupts.raise_if_requested()

    def _run_job(
        self,
        job: AnyJob,
        folder: RungFolder,
        under_test: Server | Storage,
        watch: Watch,
        hear: Callable[[Event], None],
    ) -> JobOutcome:
        """Carries a job out in a rung's folder: with one engine, or with the study's generators."""
        interrupts, generators = self.task.context.interrupts, self.task.context.study.load.generators
        if generators is None or not isinstance(job, Job):
            return run_job(
                job,
                interrupts=interrupts,
                events_path=folder.events.path,
                on_start=watch.engine_started,
                on_event=hear,
                env=under_test.environment,
                namespace=under_test.namespace,
            )
        assert not isinstance(under_test, Storage)
        with closing(under_test.connect(read_timeout_s=_COUNTED_S)) as connection:
            return run_fleet(
                job,
                generators=generators,
                backend=self.task.context.backend or LocalBackend(under_test.namespace),
                folder=folder,
                interrupts=interrupts,
                on_start=watch.generator_started,
                on_event=hear,
                env=under_test.environment,
                count=partial(_questions, connection),
            )

    def _experiment(
        self, what: PlannedExperiment, rung: Rung, under_test: Server | Storage, watch: Watch
    ) -> None:
        if not isinstance(under_test, OwnServer):
            raise InputError(f"{what.use} needs a server that the lab starts")
        context, treatment = self.task.context, self.task.treatment

        def job(action: Action, **parts: Any) -> Job:
            return jobs.job(
                action,
                target=under_test.target,
                workload=treatment.workload,
                options=treatment.workload_options,
                seed=self.task.seed(rung.number) if action == "run" else DATA_SEED,
                script=treatment.script,
                samples=under_test.samples,
                **parts,
            )

        stage = Stage(
            what=what,
            server=under_test,
            rung=rung.folder,
            window_s=context.study.load.measure_s,
            checks=treatment.script is None or has_conditions(treatment.workload, treatment.script),
            job=job,
            interrupts=context.interrupts,
            step=context.progress.step,
            heard=self._heard,
            watch=watch,
        )
        found = stage.found(EXPERIMENTS[what.use](stage))
        add_found(rung.folder, found)
        said = [f"{figure.name} {figure.value:,.4g} {figure.unit}" for figure in found.figures]
        said += [f"{name} {value}" for name, value in found.facts.items()]
        self.headlines += [(rung.load, one) for one in said]

    def _heard(self, event: Event) -> None:
        if isinstance(event, Hello):
            self.engine_version = f"{event.version} ({event.build})"
        self.task.context.progress.event(event)

    def _failure(self, error: AssayError) -> Failure:
        """Returns the failure of a run.

        Its texts name files by their final paths, not by those while the run is unfinished.
        """
        here, there = (
            str(self.task.work.path),
            str(self.task.context.folder.run(self.task.planned.run_id).path),
        )
        message, hint, detail = (
            None if text is None else text.replace(here, there)
            for text in (error.message, error.hint, error.detail)
        )
        return Failure(kind=type(error).__name__, message=message or "", hint=hint, detail=detail)

    def _manifest(self, started: int, failure: Failure | None) -> Manifest:
        context, treatment, planned = self.task.context, self.task.treatment, self.task.planned
        on_host = context.on_host
        return Manifest(
            run_id=planned.run_id,
            study=context.study.name,
            study_hash=context.plan.study_hash,
            treatment=treatment.name,
            levels=treatment.levels,
            block=planned.block,
            position=planned.position,
            seed=planned.seed,
            status="complete" if failure is None else "failed",
            started_wall_ns=started,
            ended_wall_ns=clock.wall_ns(),
            variables={**treatment.variables, **treatment.dynamic},
            workload=treatment.workload,
            workload_options=treatment.workload_options,
            workload_files=file_hashes(context.study.workload.files),
            rungs=self.rungs,
            dataset=self.dataset,
            server=self.server,
            tools={
                "assay": VERSION,
                "engine": self.engine_version,
                "python": sys.version.partition(" ")[0],
            },
            failure=failure,
            doubts=[*self.doubts, *_clock_was_set(), *(() if on_host is None else on_host.doubts)],
            host=self.host,
            volume=self.volume,
            samplers=self.samplers,
            fleet_host=None if on_host is None else on_host.name,
            load_hosts=list(context.load_hosts),
        )
