"""One treatment in one block on files: they are made, every rung drives them, they go."""

from __future__ import annotations

from pathlib import Path

import msgspec

from assay.calibration.record import calibration_for, near_ceiling
from assay.engine.jobs import VERSION
from assay.engine.process import run_job
from assay.engine.rates import per_second
from assay.folder import WHOLE, RungEntry, RunResult
from assay.format.job import DiskJob
from assay.host import host_facts
from assay.run.device_failure import DeviceFailure
from assay.run.files_rounds import Rounds, doubt
from assay.run.one_run import OneRun, write_facts
from assay.run.sampling import Watch
from assay.source.machine_settings import drifted, volume_entry
from assay.source.servers import StartedServer
from assay.study.on_files import PAGES, REDO
from assay.tally import percentile_ms


class FilesRun(OneRun):
    """A run without a server: nothing to ask, nothing to read back but what the kernel says."""

    def _measure(self) -> None:
        lab, progress = self.lab, self.lab.progress
        with lab.servers.started(self.treatment, self.work, progress.step) as files:
            self.dataset = files.dataset
            self.host, self.volume = list(files.host), volume_entry(files.volume)
            self._host_facts("before", files)
            with Watch(files, self.work, status=False) as watch:
                for number, load in enumerate(lab.plan.loads, start=1):
                    lab.interrupts.raise_if_requested()
                    self._rung(number, load, files, watch)
            self.doubts += [*watch.doubts(), *drifted(self.host)]
            self.samplers = watch.samplers()
            self._host_facts("after", files)

    def _rung(self, number: int, load: float, server: StartedServer, watch: Watch) -> None:
        lab = self.lab
        entry, path = self._begin(number, load)
        job = self._job(number, load, server)
        (path / "job.json").write_bytes(msgspec.json.format(msgspec.json.encode(job)))
        self._make_steady(job, entry, path)
        lab.progress.step(f"{lab.plan.load_kind} {load:g}")
        with DeviceFailure(server.volume, self._heard) as failure:
            outcome = run_job(
                job,
                interrupts=lab.interrupts,
                events_path=path / "events.jsonl",
                on_start=watch.engine_started,
                on_event=failure.hear,
            )
        lab.interrupts.raise_if_requested()
        failure.record(path)
        result = failure.require(outcome).result
        assert result is not None
        ceiling = near_ceiling(result, calibration_for(job), entry.dir)
        self.doubts += [] if ceiling is None else [ceiling]
        self.doubts += failure.doubts(entry.dir)
        self.rungs[-1] = msgspec.structs.replace(entry, status="complete")
        self.headlines.append(_headline(lab.plan.load_kind, load, result))

    def _make_steady(self, job: DiskJob, entry: RungEntry, path: Path) -> None:
        chosen = self.lab.study.storage
        if not chosen.rounds:
            return
        rounds = Rounds(job, chosen.rounds, chosen.round_s, self.lab.interrupts, self.lab.progress.step)
        found = rounds.carry_out()
        rounds.record(path, found)
        doubted = doubt(found, entry.dir)
        self.doubts += [] if doubted is None else [doubted]

    def _job(self, number: int, load: float, server: StartedServer) -> DiskJob:
        (directory,) = server.paths
        return DiskJob(
            version=VERSION,
            action="storage",
            seed=self.planned.seed + number,
            storage=self.treatment.study_load.jobs(self.lab.plan.load_kind, load, directory),
            phases=self._phases(),
        )

    def _host_facts(self, moment: str, files: StartedServer) -> None:
        places: list[Path] = [*files.paths, self.lab.folder.path]
        write_facts(self.work.facts("host", moment), host_facts(places))


def _headline(kind: str, load: float, result: RunResult) -> str:
    jobs = {} if result.storage is None else {job.name: job for job in result.storage.jobs}
    if PAGES in jobs and REDO in jobs:
        pages, commits = (jobs[name].write.operations / jobs[name].elapsed_s for name in (PAGES, REDO))
        return f"{kind} {load:g}: {pages:,.0f} pages flushed and {commits:,.0f} commits a second"
    whole = result.labels.get(WHOLE)
    p95 = None if whole is None or not whole.count else percentile_ms(whole.response or whole.service, 0.95)
    iops = per_second(result.transactions, result.elapsed_s)
    return f"{kind} {load:g}: {iops:,.0f} IOPS" + ("" if p95 is None else f", p95 {p95:.3f} ms")
