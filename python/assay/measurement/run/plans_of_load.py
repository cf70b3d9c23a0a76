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
            unseen = _send_transactions(task, server)
        logged = log.statements()
        if not logged:
            entries = counted(len(log.entries), "entry", "entries")
            return LoadPlans(unknown=f"the server's general query log has no such statement in {entries}")
        connection.select_db(server.lab_address.database or "")
        asked, left = logged[:_MOST_STATEMENTS], len(logged) - _MOST_STATEMENTS
        if left > 0:
            unseen = f"{counted(left, 'more statement was', 'more statements were')} not explained"
        return LoadPlans(statements=[_plan(connection, one) for one in asked], unknown=unseen)


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


def _send_transactions(task: RunTask, server: OwnServer) -> str | None:
    """Sends the load's transactions, and returns which statements may not have been among them."""
    treatment = task.treatment
    is_of_one_kind = _has_one_kind(treatment.workload)
    wanted = _OF_ONE_KIND if is_of_one_kind else _TRANSACTIONS
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
            max_transactions=wanted,
            drain_ms=_LONGEST_MS,
        ),
    )
    done = run_job(job, interrupts=task.context.interrupts, env=server.lab_address.environment()).require()
    sent = 0 if done.result is None else done.result.transactions
    if is_of_one_kind or sent >= wanted:
        return None
    return (
        f"rare statements may be missing, since {sent} of {wanted} transactions took {_LONGEST_MS / 1000:g} s"
    )


def _has_one_kind(workload: str) -> bool:
    """Returns whether the engine says that all transactions of a workload are of one kind; of a script and of
    a person's own statements nobody says so.
    """
    return any(entry["name"] == workload and entry.get("kinds") == [] for entry in workload_catalogue())


def _plan(connection: Connection, one: LoggedStatement) -> StatementPlan:
    if not one.has_plan:
        return StatementPlan(statement=one.statement, example=one.example, count=one.count, has_plan=False)
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
