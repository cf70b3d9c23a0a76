"""Rungs on storage: each after rounds of its load until the disk is steady, if the study asks for that."""

from __future__ import annotations

from dataclasses import dataclass

from assay.base.format.job import AnyJob, DiskJob
from assay.design.folder import Doubted, RunResult
from assay.design.study.storage import PAGES, REDO
from assay.measurement.run.load_site import Moment, Rung, rate_and_p95
from assay.measurement.run.run_task import RunTask
from assay.measurement.run.steady_rounds import Rounds, doubt
from assay.measurement.source import Storage
from assay.system.engine.jobs import VERSION
from assay.system.host import host_facts


@dataclass(frozen=True)
class OnStorage:
    """The `LoadSite` of a run without a server."""

    task: RunTask
    storage: Storage

    def counters(self) -> None:
        return None

    def begin(self) -> None:
        self._facts("before")

    def job(self, rung: Rung) -> DiskJob:
        load, kind = self.task.treatment.storage, self.task.context.plan.load_kind
        assert load is not None, "a server is driven"
        return DiskJob(
            version=VERSION,
            action="storage",
            seed=self.task.seed(rung.number),
            storage=load.jobs(kind, rung.load, self.storage.directory),
            phases=self.task.phases(),
        )

    def before(self, rung: Rung, job: AnyJob) -> list[Doubted]:
        context, chosen = self.task.context, self.task.context.study.storage
        if not chosen.rounds:
            return []
        assert isinstance(job, DiskJob)
        rounds = Rounds(job, chosen.rounds, chosen.round_s, context.interrupts, context.progress.step)
        found = rounds.carry_out()
        rounds.record(rung.folder, found)
        doubted = doubt(found, rung.entry.dir)
        return [] if doubted is None else [doubted]

    def after(self, rung: Rung) -> None:
        """Does nothing: everything is in the engine's events."""

    def headline(self, result: RunResult) -> str:
        done = {} if result.storage is None else {job.name: job for job in result.storage.jobs}
        if PAGES in done and REDO in done:
            pages, commits = (done[name].write.operations / done[name].elapsed_s for name in (PAGES, REDO))
            return f"{pages:,.0f} pages flushed and {commits:,.0f} commits a second"
        return rate_and_p95(result, "IOPS", 3)

    def end(self) -> list[Doubted]:
        self._facts("after")
        return []

    def _facts(self, moment: Moment) -> None:
        self.task.write_facts(
            "host", moment, host_facts([*self.storage.paths, self.task.context.folder.path])
        )
