"""The experiment on open transactions: how many can be open at once, and what they cost the others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from assay.base.errors import ConnectError, ServerError, ServerLost
from assay.base.format.job import ErrorPolicy, Phases
from assay.measurement.run.experiments.stage import Stage
from assay.measurement.source import room_for_held
from assay.system.engine import jobs
from assay.system.server import Connection, quoted_name

TABLE = "assay_open"
_TOO_MANY = "1637"
"""Error code ER_TOO_MANY_CONCURRENT_TRXS, with which the load's transactions fail too once no more can be
opened.
"""

_HISTORY = re.compile(r"^History list length (\d+)", re.MULTILINE)


def carry_out(stage: Stage) -> Mapping[str, float]:
    """Returns the number of transactions open at once, and the workload's throughput beside them."""
    wanted = int(stage.options["transactions"])
    room_for_held(stage.what)
    stage.ask(f"DROP TABLE IF EXISTS {TABLE}")
    stage.ask(f"CREATE TABLE {TABLE} (id INT NOT NULL PRIMARY KEY) ENGINE=InnoDB")
    stage.step("loading with none open")
    before = _tps(stage)
    stage.rung.set_aside("before")
    with _held() as held:
        stage.step(f"opening {wanted} transactions")
        _open(stage, held, wanted)
        opened = len(held)
        stage.moment(f"{opened} open")
        stage.step(f"loading beside {opened} open transactions")
        beside = _tps(stage)
        status = str(stage.ask("SHOW ENGINE INNODB STATUS")[0][2])
    measured = {"open_transactions": float(opened)}
    if before > 0:
        measured["tps_with_open_pct"] = 100 * beside / before
    if found := _HISTORY.search(status):
        measured["history_list"] = float(found[1])
    return measured


def _tps(stage: Stage) -> float:
    job = stage.job(
        "run",
        load=jobs.closed_loop(stage.sessions),
        phases=Phases(warmup=jobs.fixed_warmup(1.0), measure_ms=jobs.milliseconds(stage.window_s)),
        errors=ErrorPolicy(on_error={_TOO_MANY: "count"}),
    )
    result = stage.run(job, keep=True).require().result
    assert result is not None
    return result.transactions / result.elapsed_s


def _open(stage: Stage, held: list[Connection], wanted: int) -> None:
    """Opens transactions one after the other, each with an uncommitted row, until the server refuses one."""
    insert = f"INSERT INTO {quoted_name(stage.database)}.{TABLE} VALUES"
    for number in range(1, wanted + 1):
        stage.interrupts.raise_if_requested()
        try:
            connection = stage.server.connect()
        except ConnectError as error:
            stage.facts["first_error"] = error.message
            return
        held.append(connection)
        try:
            with connection.cursor() as cursor:
                cursor.execute("START TRANSACTION")
                cursor.execute(f"{insert} ({number})")
        except (ServerError, ServerLost) as error:
            held.pop().close()
            stage.facts["first_error"] = error.message
            return


@contextmanager
def _held() -> Iterator[list[Connection]]:
    """Yields a list of connections, which are closed, and so rolled back, when the block ends."""
    held: list[Connection] = []
    try:
        yield held
    finally:
        for connection in held:
            connection.close()
