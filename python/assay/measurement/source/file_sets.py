"""Provides the files of a run without a server, in a directory of their own that is removed with the run."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from assay.base.errors import HostError
from assay.base.format.job import DiskAction, DiskJob, Phases
from assay.design.folder import RunFolder
from assay.design.plan import Plan, Treatment
from assay.design.storage import StorageJobs, files_bytes, layout, overwrite
from assay.measurement.source.disk_budget import DiskBudget
from assay.measurement.source.machine_settings import check_machine, in_force, try_machine
from assay.measurement.source.placement import data_parent, make_data_parent, volume_spec
from assay.measurement.source.sources import Listener, Step
from assay.measurement.source.trial_starts import Trials
from assay.measurement.source.under_test import Storage
from assay.system.engine import Interrupts, check_disk_job, run_job
from assay.system.engine.jobs import VERSION
from assay.system.host import Knobs
from assay.system.server import PrivateDir, home

_SPARE_BYTES = 64 << 20
"""Bytes left free beside the files; the engine leaves as much."""
_SEED = 1
"""Seed of the files' contents, equal for every run."""


@dataclass(frozen=True)
class FileSets:
    """The source of storage loads: it starts no server, but provides a directory with files."""

    plan: Plan
    passes: int  # over the files, before the first rung
    interrupts: Interrupts
    knobs: Knobs | None

    def version(self) -> None:
        """Returns None: there is no server."""

    def check(
        self,
        treatments: Sequence[Treatment],
        budget: DiskBudget,
        *,
        trying: bool = True,
        trials: Trials | None = None,
    ) -> None:
        """Raises an error when the engine refuses the load, when directories cannot be written to, or volumes
        and settings cannot be provided; adds what a run takes to `budget`.
        """
        needs = []
        for treatment in treatments:
            parent = data_parent(treatment)
            usable = parent.is_dir() and os.access(parent, os.W_OK | os.X_OK)
            if treatment.directory is not None and not usable:
                raise HostError(
                    f"storage.directory: cannot write to the directory {parent}",
                    hint="create it, or name another; each run makes a directory of its own there",
                )
            rungs = self._ladder(treatment, Path("/"))
            check_disk_job(
                _job("storage", [job for rung in rungs for job in rung], measure_ms=1), "[workload]"
            )
            size = files_bytes(rungs) + _SPARE_BYTES
            spec = volume_spec(treatment)
            budget.run([(parent, size if spec is None else spec.bytes)])
            needs.append((treatment, size))
        check_machine(need[0] for need in needs)
        if trying:
            try_machine(self.knobs, needs)

    def _ladder(self, treatment: Treatment, directory: Path) -> list[StorageJobs]:
        assert treatment.storage is not None, "a server is driven"
        return treatment.storage.ladder(self.plan.load_kind, self.plan.loads, directory)

    @contextmanager
    def loaded(
        self, treatments: Sequence[Treatment], *, step: Step, note: Step, listener: Listener
    ) -> Iterator[None]:
        """Does nothing: runs on files share no data."""
        yield

    @contextmanager
    def started(self, treatment: Treatment, work: RunFolder, step: Step) -> Iterator[Storage]:
        """Yields the run's files, created and filled, and removes them when the block ends."""
        with PrivateDir() as private:
            if volume_spec(treatment):
                step("making the volume")
            where, volume = make_data_parent(treatment, private)
            directory = _directory(private, where)
            rungs = self._ladder(treatment, directory)
            step("making the files")
            jobs = layout(rungs)
            self._make(jobs, work)
            if self.passes and jobs:
                step("overwriting the files")
                self._run("storage", overwrite(jobs, self.passes), work.overwrite.path)
            with in_force(self.knobs, treatment, directory) as host:
                yield Storage(directory, files_bytes(rungs), host, volume)

    def _make(self, jobs: StorageJobs, work: RunFolder) -> None:
        if jobs:
            self._run("layout", jobs, work.layout.path)

    def _run(self, action: DiskAction, jobs: StorageJobs, events: Path) -> None:
        outcome = run_job(_job(action, jobs), interrupts=self.interrupts, events_path=events)
        self.interrupts.raise_if_requested()
        outcome.require()


def _job(action: DiskAction, jobs: StorageJobs, *, measure_ms: int = 0) -> DiskJob:
    """Returns a job for the engine; without `measure_ms` it is over when the last operation is."""
    phases = Phases(measure_ms=measure_ms)
    return DiskJob(version=VERSION, action=action, seed=_SEED, storage=jobs, phases=phases)


def _directory(private: PrivateDir, where: Path) -> Path:
    if where != home():
        return private.elsewhere(where, "files")
    own = private.path / "files"
    own.mkdir()
    return own
