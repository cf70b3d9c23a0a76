"""Room that a server needs for the load itself: the same for every treatment, unless a study sets it."""

from __future__ import annotations

from collections.abc import Sequence

from assay.folder.manifest import Scalar
from assay.plan import Plan, Treatment
from assay.study import Study

_SPARE_CONNECTIONS = 20
_DEFAULT_CONNECTIONS = 151
_DEFAULT_STATEMENTS = 16_382
_MOST_STATEMENTS = 1_048_576
_STATEMENTS_PER_TABLE = 12  # of one connection, in the richest workload, rounded up
_STATEMENTS = {"tpcc": 80}  # of one connection, where they do not go with the number of tables
_OPEN_LOOP_CONNECTIONS = 100
"""Enough for 1000 arrivals a second of 0.1 s each; below every server's default limit."""


def connections(study: Study, load: float) -> int:
    """Connections of one rung: the load itself in a closed loop, the study's or our choice in an open one."""
    if study.load.kind == "threads":
        return int(load)
    return study.load.connections or _OPEN_LOOP_CONNECTIONS


def capacity_variables(study: Study, plan: Plan, treatment: Treatment) -> dict[str, Scalar]:
    """Server variables that must be raised for the ladder and that the treatment does not set."""
    if treatment.experiment is not None:
        options = treatment.experiment.options
        at_work = int(options["sessions"]) + int(options.get("ledger_sessions", 0))
        raised = room_for(treatment, [at_work, int(options.get("idle", 0))])
        return raised | room_for_connections(treatment, at_work + int(options.get("transactions", 0)))
    return room_for(treatment, [connections(study, load) for load in plan.loads])


def room_for(treatment: Treatment, ladder: Sequence[int]) -> dict[str, Scalar]:
    """The same for these numbers of connections."""
    most = max(ladder)
    tables = int(treatment.workload_options.get("tables", 1))
    raised = room_for_connections(treatment, most)
    each = tables * _STATEMENTS_PER_TABLE + _STATEMENTS.get(treatment.workload, 0)
    if most * each > _DEFAULT_STATEMENTS:
        raised["max_prepared_stmt_count"] = _MOST_STATEMENTS
    return {name: value for name, value in raised.items() if name not in treatment.variables}


def room_for_connections(treatment: Treatment, most: int) -> dict[str, Scalar]:
    """The same for connections alone: they prepare nothing."""
    needed = most + _SPARE_CONNECTIONS
    wanted = needed > _DEFAULT_CONNECTIONS and "max_connections" not in treatment.variables
    return {"max_connections": needed} if wanted else {}
