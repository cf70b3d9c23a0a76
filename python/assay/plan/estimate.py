"""Estimates how long a plan takes, from constants until finished runs give their own times."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from assay.jobfiles import files_bytes
from assay.plan.plan import Experimenting, Plan, Treatment, WorkloadSize
from assay.study import Study

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

LEAST_STEADY_S = 30.0
"""The shortest warm-up that ends when throughput is level; with longer windows, half of the window."""

_UNKNOWN = WorkloadSize(rows=0, bytes=0, statements=0)

Sizes = Mapping[str, WorkloadSize]
"""Sizes of workloads by the treatment's name; one that is missing counts as small."""


def estimate_seconds(
    study: Study,
    plan: Plan,
    sizes: Sizes,
    done: Collection[str] = (),
    observed_s: Sequence[float] = (),
) -> float:
    """Returns the seconds that the runs not in `done` (run ids) take, with datasets when nothing is done yet.

    `observed_s`: seconds of finished runs, whose mean then stands for every remaining one.
    """
    remaining = [run for run in plan.runs if run.run_id not in done]
    if observed_s:
        return len(remaining) * sum(observed_s) / len(observed_s)
    one_each = {
        treatment.name: _run_s(study, plan, treatment, sizes.get(treatment.name, _UNKNOWN))
        for treatment in plan.treatments
    }
    seconds = sum(one_each[run.treatment] for run in remaining)
    if not done:
        datasets = {
            (one.server_use, one.workload, _shaped_by(one, sizes)): sizes.get(one.name, _UNKNOWN)
            for one in plan.treatments
            if not _loads(one) and one.storage is None
        }
        seconds += sum(START_AND_STOP_S + size.rows / LOAD_ROWS_PER_S for size in datasets.values())
    return seconds


def _shaped_by(treatment: Treatment, sizes: Sizes) -> str:
    """Returns the options that shape a treatment's rows; all options where that is unknown."""
    size = sizes.get(treatment.name, _UNKNOWN)
    return size.shaped_by or json.dumps(treatment.workload_options, sort_keys=True)


def _run_s(study: Study, plan: Plan, treatment: Treatment, size: WorkloadSize) -> float:
    """Returns the seconds of one run: the start, and either the experiment's own load or the phases of every
    rung.
    """
    if treatment.storage is not None:
        rungs = treatment.storage.ladder(plan.load_kind, plan.loads, Path("/"))
        written = files_bytes(rungs) * (1 + study.storage.passes)
        rounds_s = study.storage.rounds * (study.storage.round_s + BETWEEN_RUNGS_S)
        each_s = rounds_s + _warmup_s(study) + study.load.measure_s + BETWEEN_RUNGS_S
        return written / RESTORE_BYTES_PER_S + len(rungs) * each_s
    if treatment.experiment is not None and _loads(treatment):
        load_s = EMPTY_SERVER_BYTES / RESTORE_BYTES_PER_S + size.rows / LOAD_ROWS_PER_S
        return START_AND_STOP_S + load_s + _reading_s(treatment.experiment)
    restore_s = (EMPTY_SERVER_BYTES + size.bytes) / RESTORE_BYTES_PER_S
    servers = 1 + int(treatment.experiment.options.get("replicas", 0)) if treatment.experiment else 1
    warmup_s = 0.0 if treatment.experiment else _warmup_s(study)
    rungs_s = len(plan.loads) * (warmup_s + study.load.measure_s + BETWEEN_RUNGS_S)
    return servers * (START_AND_STOP_S + restore_s) + rungs_s


def _loads(treatment: Treatment) -> bool:
    """Returns whether a treatment measures loading itself, on a server that starts without tables."""
    return treatment.experiment is not None and treatment.experiment.empty


def _reading_s(what: Experimenting) -> float:
    read_s = float(what.options.get("read_s", 0.0))
    return START_AND_STOP_S + read_s if read_s else 0.0


def _warmup_s(study: Study) -> float:
    warmup = study.load.warmup
    if warmup.kind == "until-steady":
        return min(warmup.seconds, max(LEAST_STEADY_S, study.load.measure_s / 2))
    return warmup.seconds
