"""Estimates how long a plan takes: from what such steps took on this machine, else from constants."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from assay.design.plan.plan import Plan, PlannedExperiment, Treatment, WorkloadSize
from assay.design.storage import files_bytes
from assay.design.study import Study

START_AND_STOP_S = 2.0
"""Start, read-back of variables, stop: 0.15 s for MariaDB 10.11, up to 8 s for MariaDB 11.4 with TLS."""

RESTORE_BYTES_PER_S = 400e6
"""Plain copy of a dataset on an ordinary SSD; a reflink takes no time."""

LOAD_ROWS_PER_S = 100_000
"""Rows loaded a second over a few sessions, those of sbtest with their secondary index."""

EMPTY_SERVER_BYTES = 130e6
"""A data directory before the first row."""

BETWEEN_RUNGS_S = 0.3
"""Between two rungs: connect, prepare statements, drain."""

JUDGING_S = 2.0
"""From the last run to the report: a page of twelve runs."""

LEAST_STEADY_S = 30.0
"""The shortest warm-up that ends when throughput is level; with longer windows, half of the window."""

AROUND_PROFILE_S = 20.0
"""Warm-up, beginnings and last stretches of a profile window, and the reading of what was seen."""

_UNKNOWN = WorkloadSize(rows=0, bytes=0, statements=0)

Sizes = Mapping[str, WorkloadSize]
"""Sizes of workloads by the treatment's name; one that is missing counts as small."""


Kind = Literal["loading", "around", "judging"]
"""Steps beside the windows: the load of a dataset; a run without its windows; from the last run to the
report.
"""

Known = Callable[[Kind, str, int], float | None]
"""What a step of this kind took on this machine, for its like (a workload, a server) and size (rows, bytes,
runs); None: there was none.
"""


def nothing_known(kind: Kind, what: str, size: int) -> float | None:
    """Knows no step."""
    return None


@dataclass(frozen=True)
class Estimate:
    """The seconds that a plan takes. `supposed` names the parts that this machine has not shown yet."""

    loading_s: float
    runs_s: float
    judging_s: float
    supposed: tuple[str, ...] = ()

    @property
    def seconds(self) -> float:
        return self.loading_s + self.runs_s + self.judging_s

    @property
    def until_judging_s(self) -> float:
        """The seconds until the last run has ended."""
        return self.loading_s + self.runs_s

    @property
    def caveat(self) -> str:
        """Says which parts are supposed; empty where all are known."""
        return f"not known yet on this machine: {', '.join(self.supposed)}" if self.supposed else ""


def estimate(
    study: Study,
    plan: Plan,
    sizes: Sizes,
    done: Collection[str] = (),
    observed_s: Sequence[float] = (),
    *,
    known: Known = nothing_known,
    missing_datasets: int | None = None,
) -> Estimate:
    """Estimates how long the runs not in `done` (run ids) take, with `missing_datasets` (None: all, when
    nothing is done yet) to be loaded before and judging after them.

    `observed_s`: seconds of finished runs, whose mean then stands for every remaining one.
    """
    remaining = [run for run in plan.runs if run.run_id not in done]
    if not remaining:
        return Estimate(0.0, 0.0, 0.0)
    supposed: dict[str, None] = {}

    def took(name: str, kind: Kind, what: str, size: int, otherwise_s: float) -> float:
        seconds = known(kind, what, size)
        if seconds is None:
            supposed[name] = None
        return otherwise_s if seconds is None else seconds

    datasets = {
        (one.server_use, one.workload, _shaped_by(one, sizes), number): sizes.get(one.name, _UNKNOWN)
        for one in plan.treatments
        if not _loads(one) and one.storage is None
        for number in range(one.data_loads)
    }
    loading_s = 0.0
    count = (0 if done else len(datasets)) if missing_datasets is None else missing_datasets
    if datasets and count:
        guess_s = {key: START_AND_STOP_S + size.rows / LOAD_ROWS_PER_S for key, size in datasets.items()}
        whole_s = sum(
            took("loading", "loading", key[1], size.rows, guess_s[key]) for key, size in datasets.items()
        )
        loading_s = whole_s * min(count / len(datasets), 1.0)
    if observed_s:
        runs_s = len(remaining) * sum(observed_s) / len(observed_s)
    else:
        one_each = {}
        for one in {run.treatment: plan.treatment(run.treatment) for run in remaining}.values():
            size = sizes.get(one.name, _UNKNOWN)
            windows_s, around_s = windows_and_around(study, plan, one, size)
            around_s = took("starting and stopping", "around", around_name(one), size.bytes, around_s)
            one_each[one.name] = windows_s + around_s
        runs_s = sum(one_each[run.treatment] for run in remaining)
    judging_s = took("judging", "judging", "", len(plan.runs), JUDGING_S)
    return Estimate(loading_s, runs_s, judging_s, tuple(supposed))


def around_name(treatment: Treatment) -> str:
    """Returns the name of the runs that are alike in all but their windows."""
    if treatment.storage is not None:
        return "storage"
    return " ".join((treatment.server_use, *([treatment.experiment.use] if treatment.experiment else [])))


def _shaped_by(treatment: Treatment, sizes: Sizes) -> str:
    """Returns the options that shape a treatment's rows; all options where that is unknown."""
    size = sizes.get(treatment.name, _UNKNOWN)
    return size.shaped_by or json.dumps(treatment.workload_options, sort_keys=True)


def windows_and_around(
    study: Study, plan: Plan, treatment: Treatment, size: WorkloadSize
) -> tuple[float, float]:
    """Returns the seconds of one run: those of its windows, which the study sets, and the rest as constants
    have it (the start, and the experiment's own load).
    """
    if treatment.storage is not None:
        rungs = treatment.storage.ladder(plan.load_kind, plan.loads, Path("/"))
        written = files_bytes(rungs) * (1 + study.storage.passes)
        rounds_s = study.storage.rounds * (study.storage.round_s + BETWEEN_RUNGS_S)
        each_s = rounds_s + _warmup_s(study) + study.load.measure_s + BETWEEN_RUNGS_S
        return len(rungs) * each_s, written / RESTORE_BYTES_PER_S
    if treatment.experiment is not None and _loads(treatment):
        load_s = EMPTY_SERVER_BYTES / RESTORE_BYTES_PER_S + size.rows / LOAD_ROWS_PER_S
        return 0.0, START_AND_STOP_S + load_s + _reading_s(treatment.experiment)
    restore_s = (EMPTY_SERVER_BYTES + size.bytes) / RESTORE_BYTES_PER_S
    servers = 1 + int(treatment.experiment.options.get("replicas", 0)) if treatment.experiment else 1
    warmup_s = 0.0 if treatment.experiment else _warmup_s(study)
    rungs_s = len(plan.loads) * (warmup_s + study.load.measure_s + BETWEEN_RUNGS_S + _profile_s(study))
    return rungs_s, servers * (START_AND_STOP_S + restore_s)


def _loads(treatment: Treatment) -> bool:
    """Returns whether a treatment measures loading itself, on a server that starts without tables."""
    return treatment.experiment is not None and treatment.experiment.empty


def _reading_s(what: PlannedExperiment) -> float:
    read_s = float(what.options.get("read_s", 0.0))
    return START_AND_STOP_S + read_s if read_s else 0.0


def _profile_s(study: Study) -> float:
    return study.load.profile_s + AROUND_PROFILE_S if study.load.profile_s else 0.0


def _warmup_s(study: Study) -> float:
    warmup = study.load.warmup
    if warmup.kind == "until-steady":
        return min(warmup.seconds, max(LEAST_STEADY_S, study.load.measure_s / 2))
    return warmup.seconds
