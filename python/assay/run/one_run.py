"""One treatment in one block: server, facts, samplers, every rung, and a folder that says what happened."""

from __future__ import annotations

import errno
import json
import shutil
import sys
import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from assay.calibration.record import calibration_for, near_ceiling
from assay.dataset.key import DATA_SEED
from assay.engine import jobs
from assay.engine.interrupts import Interrupts
from assay.engine.process import run_job, workload_catalogue
from assay.engine.rates import per_second
from assay.errors import (
    AssayError,
    ConflictError,
    ConnectError,
    HostError,
    InputError,
    Interrupted,
    ServerLost,
)
from assay.folder import (
    WHOLE,
    Event,
    Failure,
    Hello,
    Manifest,
    ResultsFolder,
    RunFolder,
    RungEntry,
    RunResult,
)
from assay.folder.manifest import Doubted, HostEntry, SamplerEntry, VolumeEntry
from assay.format.job import Action, AnyJob, Job, Phases, UntilSteadyWarmup, Warmup
from assay.host import host_facts
from assay.plan import Experimenting, Plan, PlannedRun, Treatment
from assay.run.device_failure import DeviceFailure
from assay.run.experiments import EXPERIMENTS, Stage
from assay.run.journal import finish
from assay.run.progress import RunProgress
from assay.run.sampling import Watch
from assay.server import server_facts
from assay.server.variables.reading import global_status
from assay.source.capacity import connections
from assay.source.machine_settings import drifted, volume_entry
from assay.source.servers import Servers, StartedServer
from assay.study import Study
from assay.tally import percentile_ms
from assay.version import VERSION

_LOG_LINES = 15

_MOVING_VARIABLES = ("gtid_", "timestamp", "innodb_buffer_pool_load_")
"""Variables by name only: they follow the load."""

_NOT_THE_RUNS_FAULT = (InputError, HostError, ConflictError, Interrupted)
"""These end the study: the next run would meet them too."""

_MET_BY_THE_NEXT = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EMFILE}
"""Errors of this machine that do: no room, no right to write."""


@dataclass(frozen=True)
class Lab:
    """What all runs of a study share."""

    study: Study
    plan: Plan
    folder: ResultsFolder
    servers: Servers
    progress: RunProgress
    interrupts: Interrupts


@dataclass
class OneRun:
    """A run on a server; `FilesRun` is one on files."""

    lab: Lab
    planned: PlannedRun
    rungs: list[RungEntry] = field(default_factory=list)
    doubts: list[Doubted] = field(default_factory=list)
    headlines: list[str] = field(default_factory=list)
    engine_version: str = "unknown"
    dataset: dict[str, Any] = field(default_factory=dict)
    server: dict[str, Any] = field(default_factory=dict)
    host: list[HostEntry] = field(default_factory=list)
    volume: VolumeEntry | None = None
    samplers: dict[str, SamplerEntry] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.treatment: Treatment = self.lab.plan.treatment(self.planned.treatment)
        self.work: RunFolder = self.lab.folder.unfinished(self.planned.run_id)

    def carry_out(self) -> Manifest:
        """Does the run and leaves its folder, whole or marked as failed.

        A server that refuses, dies or goes away fails the run, which is recorded. Anything that the next run
        would meet as well (a wrong study, a full disk, an interrupt) is raised and leaves the run to be
        redone.
        """
        shutil.rmtree(self.work.path, ignore_errors=True)
        self.work.path.mkdir(parents=True)
        started, failure = time.time_ns(), None
        try:
            self._measure()
        except _NOT_THE_RUNS_FAULT:
            raise
        except AssayError as error:
            failure = self._failure(error)
        except OSError as error:
            if error.errno in _MET_BY_THE_NEXT:
                raise  # `execute` says where
            failure = self._failure(HostError(f"this machine refused: {error}"))
        manifest = self._manifest(started, failure)
        finish(self.lab.folder, manifest)
        self.lab.progress.run_finished(
            self.planned.run_id, headline="; ".join(self.headlines), failure=failure
        )
        return manifest

    def _measure(self) -> None:
        lab, progress = self.lab, self.lab.progress
        with lab.servers.started(self.treatment, self.work, progress.step) as server:
            self.dataset, self.server = server.dataset, server.description
            self.host, self.volume = list(server.host), volume_entry(server.volume)
            try:
                before = self._facts("before", server)
                what = self.treatment.experiment
                with Watch(server, self.work, status=what is None or not what.restarts) as watch:
                    for number, load in enumerate(lab.plan.loads, start=1):
                        lab.interrupts.raise_if_requested()
                        if what is not None:
                            self._experiment(what, number, load, server, watch)
                            continue
                        progress.step(f"{lab.plan.load_kind} {load:g}")
                        self._rung(number, load, server, watch)
                self.doubts += [*server.doubts, *watch.doubts(), *drifted(self.host)]
                self.samplers = watch.samplers()
                if what is None:
                    self._try_conditions(server)
                after = self._facts("after", server)
                if what is None or not what.restarts:  # another start has another port and other places
                    self._look_for_drift(before, after)
            except AssayError as error:
                if isinstance(error, _NOT_THE_RUNS_FAULT):
                    raise
                raise _with_last_words(error, server) from error

    def _rung(self, number: int, load: float, server: StartedServer, watch: Watch) -> None:
        lab = self.lab
        entry, path = self._begin(number, load)
        job = self._job(number, load, server)
        (path / "job.json").write_bytes(msgspec.json.format(msgspec.json.encode(job)))
        self._status(path.name, "before", server)
        with DeviceFailure(server.volume, self._heard) as failure:
            outcome = run_job(
                job,
                interrupts=lab.interrupts,
                events_path=path / "events.jsonl",
                on_start=watch.engine_started,
                on_event=failure.hear,
                env=server.environment,
                namespace=server.namespace,
            )
        lab.interrupts.raise_if_requested()
        failure.record(path)
        result = failure.require(outcome).result
        assert result is not None
        self._status(path.name, "after", server)
        ceiling = near_ceiling(result, calibration_for(job), entry.dir)
        self.doubts += [*([] if ceiling is None else [ceiling]), *failure.doubts(entry.dir)]
        self.rungs[-1] = msgspec.structs.replace(entry, status="complete")
        self.headlines.append(_headline(lab.plan.load_kind, load, result))

    def _try_conditions(self, server: StartedServer) -> None:
        """What the load must not have broken: where it has, the run is not valid and counts as failed."""
        catalogue = {entry["name"]: entry for entry in workload_catalogue()}
        if not catalogue[self.treatment.workload]["conditions"]:
            return
        self.lab.progress.step("conditions of the tables")
        job = jobs.job(
            "check",
            target=server.target,
            workload=self.treatment.workload,
            options=self.treatment.workload_options,
            seed=DATA_SEED,
        )
        outcome = run_job(
            job,
            interrupts=self.lab.interrupts,
            events_path=self.work.path / "conditions.jsonl",
            env=server.environment,
        )
        self.lab.interrupts.raise_if_requested()
        outcome.require()

    def _experiment(
        self, what: Experimenting, number: int, load: float, server: StartedServer, watch: Watch
    ) -> None:
        lab = self.lab
        entry, path = self._begin(number, load)

        def job(action: Action, **parts: Any) -> Job:
            return jobs.job(
                action,
                target=server.target,
                workload=self.treatment.workload,
                options=self.treatment.workload_options,
                seed=self.planned.seed + number if action == "run" else DATA_SEED,
                **parts,
            )

        stage = Stage(
            what=what,
            server=server,
            folder=path,
            window_s=lab.study.load.measure_s,
            job=job,
            interrupts=lab.interrupts,
            step=lab.progress.step,
            heard=self._heard,
            watch=watch,
        )
        record = stage.record(EXPERIMENTS[what.use](stage))
        (path / "experiment.json").write_bytes(msgspec.json.format(msgspec.json.encode(record)))
        self.rungs[-1] = msgspec.structs.replace(entry, status="complete")
        self.headlines += [f"{figure.name} {figure.value:,.4g} {figure.unit}" for figure in record.figures]
        self.headlines += [f"{name} {value}" for name, value in record.facts.items()]

    def _begin(self, number: int, load: float) -> tuple[RungEntry, Path]:
        """A rung's entry and folder."""
        kind = self.lab.plan.load_kind
        path = self.work.rung(number, kind, load)
        path.mkdir(parents=True)
        entry = RungEntry(dir=str(path.relative_to(self.work.path)), kind=kind, load=load, status="failed")
        self.rungs.append(entry)
        return entry, path

    def _phases(self) -> Phases:
        """Of each rung, as a job has them."""
        shape = self.lab.study.load
        warmup: Warmup = jobs.fixed_warmup(shape.warmup.seconds)
        if shape.warmup.kind == "until-steady":
            warmup = UntilSteadyWarmup(cap_ms=jobs.milliseconds(shape.warmup.seconds))
        elif shape.warmup.kind == "none":
            warmup = jobs.fixed_warmup(0)
        return Phases(warmup=warmup, measure_ms=jobs.milliseconds(shape.measure_s))

    def _job(self, number: int, load: float, server: StartedServer) -> AnyJob:
        shape, count = self.lab.study.load, connections(self.lab.study, load)
        return jobs.job(
            "run",
            target=server.target,
            workload=self.treatment.workload,
            options=self.treatment.workload_options,
            # One a rung: the same again would write the values that are there, and change nothing.
            seed=self.planned.seed + number,
            load=jobs.closed_loop(count, terminals=shape.terminals or 0)
            if shape.kind == "threads"
            else jobs.open_loop(load, shape.arrivals, count),
            phases=self._phases(),
        )

    def _heard(self, event: Event) -> None:
        if isinstance(event, Hello):
            self.engine_version = f"{event.version} ({event.build})"
        self.lab.progress.event(event)

    def _facts(self, moment: str, server: StartedServer) -> dict[str, Any]:
        """Written, and the server's variables returned."""
        with closing(server.connect()) as connection:
            facts = server_facts(connection)
        write_facts(self.work.facts("server", moment), facts)
        write_facts(self.work.facts("host", moment), host_facts([*server.paths, self.lab.folder.path]))
        return dict(facts["variables"])  # type: ignore[call-overload,no-any-return]

    def _look_for_drift(self, before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
        for name in sorted(before.keys() & after.keys()):
            if before[name] != after[name] and not name.startswith(_MOVING_VARIABLES):
                message = f"{name} changed from {before[name]} to {after[name]} during the run"
                self.doubts.append(Doubted(kind="variable-drift", message=message))

    def _status(self, rung: str, moment: str, server: StartedServer) -> None:
        """The server's own counters at the ends of a rung: what the client counts must be found in them."""
        with closing(server.connect()) as connection:
            write_facts(self.work.facts(f"status-{rung}", moment), global_status(connection))

    def _failure(self, error: AssayError) -> Failure:
        """Its texts name files where they will be, not where they are while the run is unfinished."""
        here, there = str(self.work.path), str(self.lab.folder.run(self.planned.run_id).path)
        message, hint, detail = (
            None if text is None else text.replace(here, there)
            for text in (error.message, error.hint, error.detail)
        )
        return Failure(kind=type(error).__name__, message=message or "", hint=hint, detail=detail)

    def _manifest(self, started: int, failure: Failure | None) -> Manifest:
        treatment, planned = self.treatment, self.planned
        return Manifest(
            run_id=planned.run_id,
            study=self.lab.study.name,
            study_hash=self.lab.plan.study_hash,
            treatment=treatment.name,
            levels=treatment.levels,
            block=planned.block,
            position=planned.position,
            seed=planned.seed,
            status="complete" if failure is None else "failed",
            started_wall_ns=started,
            ended_wall_ns=time.time_ns(),
            variables={**treatment.variables, **treatment.dynamic},
            workload=treatment.workload,
            workload_options=treatment.workload_options,
            rungs=self.rungs,
            dataset=self.dataset,
            server=self.server,
            tools={
                "assay": VERSION,
                "engine": self.engine_version,
                "python": sys.version.partition(" ")[0],
            },
            failure=failure,
            doubts=self.doubts,
            host=self.host,
            volume=self.volume,
            samplers=self.samplers,
        )


def write_facts(path: Path, facts: Mapping[str, Any]) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(facts, indent=1, default=str), encoding="utf-8")


def _with_last_words(error: AssayError, server: StartedServer) -> AssayError:
    """The same error with the end of the server's log, and how the server ended if it did."""
    lost = isinstance(error, ServerLost | ConnectError)
    end = server.how_it_ended() if lost else None
    message = error.message if end is None else f"{error.message}; {end}"
    return type(error)(
        message, hint=error.hint, detail=server.log_tail(_LOG_LINES) or error.detail, code=error.code
    )


def _headline(kind: str, load: float, result: RunResult) -> str:
    whole = result.labels.get(WHOLE)
    p95 = None if whole is None else percentile_ms(whole.response or whole.service, 0.95)
    tps = per_second(result.transactions, result.elapsed_s)
    return f"{kind} {load:g}: {tps:,.0f} tps" + ("" if p95 is None else f", p95 {p95:.2f} ms")
