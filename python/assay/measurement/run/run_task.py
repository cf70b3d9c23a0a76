"""The context that all runs of a study share, and the task of each run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from assay.base.format.job import Phases, UntilSteadyWarmup, Warmup
from assay.design.folder import Doubted, ResultsFolder, RunFolder
from assay.design.plan import Plan, PlannedRun, Treatment
from assay.design.study import Study
from assay.measurement.fleet import Backend
from assay.measurement.run.progress import RunProgress
from assay.measurement.source import Sources
from assay.system.engine import Interrupts, jobs


@dataclass(frozen=True)
class OnHost:
    """The host of a fleet that carries a block out, by its name there, and doubts about every run on it."""

    name: str
    doubts: tuple[Doubted, ...] = ()


@dataclass(frozen=True)
class RunContext:
    """The settings and services that all runs of a study share."""

    study: Study
    plan: Plan
    folder: ResultsFolder
    sources: Sources
    progress: RunProgress
    interrupts: Interrupts
    backend: Backend | None = None
    """Where generators of a load run; None: on this machine."""
    on_host: OnHost | None = None
    """None: the study is carried out by the lab itself."""
    load_hosts: tuple[str, ...] = ()
    """The hosts that generators of a load are placed on; none: this machine."""


@dataclass(frozen=True)
class RunTask:
    """One planned run of a study: its treatment, and its folder while it is unfinished."""

    context: RunContext
    planned: PlannedRun

    @property
    def treatment(self) -> Treatment:
        treatment = self.context.plan.treatment(self.planned.treatment).in_block(self.planned.block)
        return replace(treatment, padding_bytes=self.planned.padding_bytes)

    @property
    def work(self) -> RunFolder:
        return self.context.folder.unfinished(self.planned.run_id)

    def seed(self, number: int) -> int:
        """Returns the seed of a rung.

        Each rung has its own: equal operations would write the values that are already there, and change
        nothing.
        """
        return self.planned.seed + number

    def phases(self) -> Phases:
        """Returns warm-up and window of each rung, as a job has them."""
        shape = self.context.study.load
        warmup: Warmup = jobs.fixed_warmup(shape.warmup.seconds)
        if shape.warmup.kind == "until-steady":
            warmup = UntilSteadyWarmup(cap_ms=jobs.milliseconds(shape.warmup.seconds))
        elif shape.warmup.kind == "none":
            warmup = jobs.fixed_warmup(0)
        return Phases(warmup=warmup, measure_ms=jobs.milliseconds(shape.measure_s))

    def write_facts(self, scope: str, moment: str, facts: Mapping[str, Any]) -> None:
        """Writes facts into the run's folder, under `scope` and `moment`."""
        path = self.work.facts(scope, moment)
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(facts, indent=1, default=str), encoding="utf-8")
