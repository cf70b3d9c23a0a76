"""Rungs on a server: records its facts, its own counters at their ends, and checks its tables after the
last.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

from assay.base.format.job import AnyJob
from assay.design.folder import Doubted, RunResult
from assay.measurement.run.load_site import Moment, Rung, rate_and_p95
from assay.measurement.run.plans_of_load import record_plans
from assay.measurement.run.run_task import RunTask
from assay.measurement.source import Server, connections
from assay.measurement.source.dataset import DATA_SEED
from assay.system.engine import has_conditions, jobs, run_job
from assay.system.host import aio_contexts, host_facts
from assay.system.server import Connection, fixed_addresses, server_facts
from assay.system.server.variables import MOVING_VARIABLES, global_status

_READ_TIMEOUT_S = 30.0


@dataclass
class OnServer:
    """The `LoadSite` of a run whose load goes to a server."""

    task: RunTask
    server: Server
    _variables: Mapping[str, Any] = field(default_factory=dict)
    _doubts: list[Doubted] = field(default_factory=list)  # that its start raised

    @property
    def _restarts(self) -> bool:
        """Returns whether the experiment restarts the server.

        A restarted server has other counters, another port and other directories.
        """
        what = self.task.treatment.experiment
        return what is not None and what.restarts

    def counters(self) -> Connection | None:
        return None if self._restarts else self.server.connect(read_timeout_s=_READ_TIMEOUT_S)

    def begin(self) -> None:
        self._variables = self._facts("before")
        self._doubts = _of_addresses(self.server.pid)

    def job(self, rung: Rung) -> AnyJob:
        task, shape = self.task, self.task.context.study.load
        count = connections(task.context.study, rung.load)
        return jobs.job(
            "run",
            target=self.server.target,
            workload=task.treatment.workload,
            options=task.treatment.workload_options,
            script=task.treatment.script,
            samples=self.server.samples,
            seed=task.seed(rung.number),
            load=jobs.closed_loop(
                count,
                terminals=shape.terminals or 0,
                think_ms=shape.think_ms,
                reconnect_each=task.treatment.reconnect,
            )
            if shape.kind == "threads"
            else jobs.open_loop(rung.load, shape.arrivals, count, reconnect_each=task.treatment.reconnect),
            phases=task.phases(),
        )

    def before(self, rung: Rung, job: AnyJob) -> list[Doubted]:
        self._status(rung, "before")
        return []

    def after(self, rung: Rung) -> None:
        self._status(rung, "after")

    def headline(self, result: RunResult) -> str:
        return rate_and_p95(result, "tps", 2)

    def end(self) -> list[Doubted]:
        if self.task.treatment.experiment is None:
            self._try_conditions()
        after = self._facts("after")
        record_plans(self.task, self.server)
        return self._doubts + ([] if self._restarts else _drifted(self._variables, after))

    def _facts(self, moment: Moment) -> Mapping[str, Any]:
        """Records the server's facts, and returns its variables."""
        with closing(self.server.connect()) as connection:
            facts = server_facts(connection)
        if self.server.pid is not None and (contexts := aio_contexts(self.server.pid)) is not None:
            facts["aio_contexts"] = contexts
        self.task.write_facts("server", moment, facts)
        self.task.write_facts("host", moment, host_facts([*self.server.paths, self.task.context.folder.path]))
        return dict(facts["variables"])  # type: ignore[call-overload,no-any-return]

    def _status(self, rung: Rung, moment: Moment) -> None:
        """Records the server's own counters at the ends of a rung, with which the client's counts are
        compared.
        """
        with closing(self.server.connect()) as connection:
            self.task.write_facts(f"status-{rung.folder.path.name}", moment, global_status(connection))

    def _try_conditions(self) -> None:
        """Checks conditions that the load must not have broken; a broken one makes the run count as
        failed.
        """
        context, treatment = self.task.context, self.task.treatment
        if not has_conditions(treatment.workload, treatment.script):
            return
        context.progress.step("conditions of the tables")
        job = jobs.job(
            "check",
            target=jobs.target(self.server.lab_address),
            workload=treatment.workload,
            options=treatment.workload_options,
            seed=DATA_SEED,
            script=treatment.script,
            load=None if treatment.script is None else jobs.closed_loop(treatment.script.threads),
        )
        outcome = run_job(
            job,
            interrupts=context.interrupts,
            events_path=self.task.work.conditions.path,
            env=self.server.lab_address.environment(),
        )
        context.interrupts.raise_if_requested()
        outcome.require()


def _of_addresses(pid: int | None) -> list[Doubted]:
    why = None if pid is None else fixed_addresses(pid)
    if why is None:
        return []
    return [
        Doubted(kind="fixed-addresses", message=f"the server has the same addresses at each start: {why}")
    ]


def _drifted(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Doubted]:
    """Returns a doubt for each variable that changed under the load."""
    return [
        Doubted(
            kind="variable-drift",
            message=f"{name} changed from {before[name]} to {after[name]} during the run",
        )
        for name in sorted(before.keys() & after.keys())
        if before[name] != after[name] and not name.startswith(MOVING_VARIABLES)
    ]
