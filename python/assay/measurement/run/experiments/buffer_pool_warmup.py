"""The experiment on buffer-pool warmth: how long a restarted server is slower than a warm one."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from statistics import median

from assay.base.errors import ServerError
from assay.measurement.run.experiments.background_load import background_load
from assay.measurement.run.experiments.stage import Stage
from assay.system.server import quoted_name

_STEADY = 0.95
_DUMP_S = 60.0


def carry_out(stage: Stage) -> Mapping[str, float]:
    """Returns the seconds until throughput stays at 95 % of its steady value, and other measures."""
    start = str(stage.options["start"])
    if start != "cold":
        stage.step("warming the buffer pool")
        _read_all(stage)
    if start == "dumped":
        _dump(stage)
        stage.step("restarting the server")
        stage.restart({"innodb_buffer_pool_load_at_startup": "ON"})
    elif start == "cold":
        stage.restart({"innodb_buffer_pool_load_at_startup": "OFF"})
    stage.moment("load begins")
    with background_load(stage, stage.window_s) as background:
        background.over.wait()
    background.require()
    tps = [one.transactions * 1e9 / (one.end_ns - one.start_ns) for one in background.intervals]
    return curve(tps)


def curve(tps: Sequence[float]) -> dict[str, float]:
    """Returns the measures of a series of one value a second; empty when it is too short to have a steady
    part.
    """
    if len(tps) < 6:
        return {}
    last_third = len(tps) - len(tps) // 3
    steady = median(tps[last_third:])
    if steady <= 0:
        return {}
    below = [second for second, value in enumerate(_smooth(tps), start=1) if value < _STEADY * steady]
    early = [second for second in below if second <= last_third]
    return {
        "warm_s": float(max(early, default=0)),
        "first_second_pct": 100 * tps[0] / steady,
        "steady_tps": steady,
    }


def _smooth(values: Sequence[float]) -> list[float]:
    """Returns the medians of three neighbours, so that one bad second of the machine is not taken for a cold
    server.
    """
    return [median(values[max(0, at - 1) : at + 2]) for at in range(len(values))]


def _dump(stage: Stage) -> None:
    """Makes the server write its list of pages, and waits for it. Raises ServerError where the server
    cannot.
    """
    with suppress(ServerError):  # MySQL 5.6 knows no share: it writes all of them
        stage.ask("SET GLOBAL innodb_buffer_pool_dump_pct = 100")
    stage.ask("SET GLOBAL innodb_buffer_pool_dump_now = ON")
    deadline = time.monotonic() + _DUMP_S
    while "completed" not in str(stage.ask("SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_dump_status'")):
        if time.monotonic() > deadline:
            raise ServerError(f"the buffer pool's list of pages was not written within {_DUMP_S:.0f} s")
        time.sleep(0.05)


def _read_all(stage: Stage) -> None:
    """Reads every page of every table and index."""
    for (table,) in stage.ask("SHOW TABLES"):
        columns = [str(row[0]) for row in stage.ask(f"SHOW COLUMNS FROM {quoted_name(str(table))}")]
        indexes = {str(row[2]) for row in stage.ask(f"SHOW INDEX FROM {quoted_name(str(table))}")}
        for statement in reading(str(table), columns, indexes):
            stage.ask(statement)


def reading(table: str, columns: Sequence[str], indexes: Collection[str]) -> list[str]:
    """Returns statements that read every page of a table: all columns of each row, which no index has, then
    each further index.

    Without a primary key, the statement on the rows is kept from using an index.
    """
    sums = ", ".join(f"SUM(LENGTH({quoted_name(column)}))" for column in columns)
    rows = f"SELECT COUNT(*), {sums} FROM {quoted_name(table)}"
    by = "FORCE INDEX (PRIMARY)" if "PRIMARY" in indexes else "USE INDEX ()"
    return [
        f"{rows} {by}",
        *(
            f"SELECT COUNT(*) FROM {quoted_name(table)} FORCE INDEX ({quoted_name(name)})"
            for name in sorted(indexes)
            if name != "PRIMARY"
        ),
    ]
