"""Asks the server, in every run and after the load, how it carries out the load's statements.

The statements are those that it logs while one connection sends the load's transactions once more: so no list
of them can be wrong, and a script is as good as a workload. It is done when everything is measured, since the
log costs time and the transactions change the data. Runs of later blocks explain the statements that the
first block has seen, which costs an EXPLAIN each: the plans of a treatment must be the same in all blocks, or
nobody may say that a treatment changed them.
"""

from __future__ import annotations

from contextlib import closing

from assay.base.decoding import whole_number
from assay.base.errors import AssayError, Interrupted, ServerError
from assay.base.format.job import Phases
from assay.base.wording import counted
from assay.design.folder import LoadPlans, PlanStep, StatementPlan, read_plans, write_plans
from assay.measurement.run.run_task import RunTask
from assay.measurement.source import OwnServer, Server
from assay.measurement.source.dataset import DATA_SEED
from assay.system.engine import jobs, run_job, workload_catalogue
from assay.system.server import Connection, LoggedStatement, explained, statement_log, used_key_parts

_TRANSACTIONS = 200
"""Enough for a kind that is one in 25, as the rare ones of TPC-C, to be seen in practice always."""
_OF_ONE_KIND = 20
"""Enough where every transaction sends the same statements, with other values."""
_MOST_STATEMENTS = 60
_LONGEST_MS = 2000
_READ_TIMEOUT_S = 30.0
_NOT_OWN = "Assay changes no setting of a server that it has not started"


def record_plans(task: RunTask, server: Server) -> None:
    """Writes the plans of the load's statements into the folder of a run."""
    if task.treatment.experiment is not None:
        return
    if not isinstance(server, OwnServer):
        write_plans(task.work, LoadPlans(unknown=_NOT_OWN))
        return
    task.context.progress.step("plans of the statements")
    try:
        plans = _plans(task, server)
    except Interrupted:
        raise
    except AssayError as error:  # what was measured is no worse for it
        plans = LoadPlans(unknown=error.message)
    task.context.interrupts.raise_if_requested()
    write_plans(task.work, plans)


def _plans(task: RunTask, server: OwnServer) -> LoadPlans:
    known = _of_first_block(task)
    with closing(server.connect(read_timeout_s=_READ_TIMEOUT_S)) as connection:
        if known is not None:
            connection.select_db(server.lab_address.database or "")
            again = [LoggedStatement(one.statement, one.example, one.count) for one in known.statements]
            return LoadPlans(statements=[_plan(connection, one) for one in again], unknown=known.unknown)
        with statement_log(connection) as log:
            _send_transactions(task, server)
        logged = log.statements()
        if not logged:
            entries = counted(len(log.entries), "entry", "entries")
            return LoadPlans(unknown=f"the server's general query log has no such statement in {entries}")
        connection.select_db(server.lab_address.database or "")
        asked, left = logged[:_MOST_STATEMENTS], len(logged) - _MOST_STATEMENTS
        more = (
            f"{counted(left, 'more statement was', 'more statements were')} not explained"
            if left > 0
            else None
        )
        return LoadPlans(statements=[_plan(connection, one) for one in asked], unknown=more)


def _of_first_block(task: RunTask) -> LoadPlans | None:
    """Returns the plans of the treatment's run in the first block; None where that is not in this folder, or
    has seen no statement.
    """
    if task.planned.block == 1:
        return None
    for run in task.context.plan.runs:
        if run.block != 1 or run.treatment != task.planned.treatment:
            continue
        first = task.context.folder.run(run.run_id)
        plans = read_plans(first) if first.manifest.is_file() else None
        return plans if plans is not None and plans.statements else None
    return None


def _send_transactions(task: RunTask, server: OwnServer) -> None:
    treatment = task.treatment
    job = jobs.job(
        "run",
        target=jobs.target(server.lab_address, ps_mode=treatment.ps_mode, server_session=treatment.variables),
        workload=treatment.workload,
        options=treatment.workload_options,
        script=treatment.script,
        samples=server.samples,
        seed=DATA_SEED,
        load=jobs.closed_loop(1),
        phases=Phases(
            measure_ms=_LONGEST_MS,
            max_transactions=_OF_ONE_KIND if _has_one_kind(treatment.workload) else _TRANSACTIONS,
            drain_ms=_LONGEST_MS,
        ),
    )
    run_job(job, interrupts=task.context.interrupts, env=server.lab_address.environment()).require()


def _has_one_kind(workload: str) -> bool:
    """Returns whether the engine says that all transactions of a workload are of one kind; of a script and of
    a person's own statements nobody says so.
    """
    return any(entry["name"] == workload and entry.get("kinds") == [] for entry in workload_catalogue())


def _plan(connection: Connection, one: LoggedStatement) -> StatementPlan:
    steps: list[PlanStep] = []
    refused = None
    try:
        rows = explained(connection, one.example)
        parts = used_key_parts(connection, one.example) if any(row.get("key") for row in rows) else {}
        steps = [
            PlanStep(
                select=row.get("select_type"),
                table=row.get("table"),
                access=row.get("type"),
                key=row.get("key"),
                key_length=whole_number(row.get("key_len") or ""),
                key_parts=_parts(parts.get((row.get("table") or "", row.get("key") or ""))),
                rows=whole_number(row.get("rows") or ""),
                extra=row.get("extra"),
            )
            for row in rows
        ]
    except ServerError as error:
        refused = error.message
    return StatementPlan(
        statement=one.statement, example=one.example, count=one.count, steps=steps, refused=refused
    )


def _parts(found: tuple[str, ...] | None) -> list[str] | None:
    return None if found is None else list(found)
