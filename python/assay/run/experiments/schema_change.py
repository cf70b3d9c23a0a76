"""Schema change: a statement while the table is in use."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping

from assay.run.experiments.load_beside import load_beside
from assay.run.experiments.stage import Stage
from assay.server import disk_use

_AFTER_NS = 1_000_000_000


def carry_out(stage: Stage) -> Mapping[str, float]:
    """Seconds of the statement; what became of the load meanwhile."""
    statement, held_s = str(stage.options["statement"]), float(stage.options["open_transaction_s"])
    if algorithm := stage.options["algorithm"]:
        statement += f", ALGORITHM={algorithm}"
    data_dir = stage.server.paths[0]
    before_bytes = disk_use(data_dir)
    with load_beside(stage, stage.window_s) as beside:
        beside.measuring.wait()
        began = time.time_ns()
        beside.over.wait(stage.window_s / 3)
        holder = threading.Thread(target=_hold_open, args=(stage, held_s)) if held_s else None
        if holder is not None:
            holder.start()
            time.sleep(0.2)  # its snapshot is there before the statement asks for the table
        stage.step("changing the schema")
        start = stage.moment("statement begins")
        stage.ask(statement)
        end = stage.moment("statement ended")
        if holder is not None:
            holder.join()
    beside.require()
    before = beside.mean_tps(began, start)
    during = beside.tps(start, end)
    measured = {
        "ddl_s": (end - start) / 1e9,
        "longest_transaction_ms": beside.longest_ms(start, end + _AFTER_NS),
        "table_growth_bytes": float(disk_use(data_dir) - before_bytes),
    }
    if before > 0 and during:
        measured["tps_during_pct"] = 100 * beside.mean_tps(start, end) / before
        measured["lowest_tps_pct"] = 100 * min(beside.tps(start, end + _AFTER_NS)) / before
    return measured


def _hold_open(stage: Stage, seconds: float) -> None:
    """A transaction that has read the table: the statement waits for its metadata lock."""
    with stage.connection() as connection, connection.cursor() as cursor:
        cursor.execute("BEGIN")
        cursor.execute("SELECT * FROM sbtest1 LIMIT 1")
        cursor.fetchall()
        time.sleep(seconds)
        cursor.execute("COMMIT")
