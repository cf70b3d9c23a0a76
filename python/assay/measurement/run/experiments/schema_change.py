"""The experiment on schema changes: a statement while the table is in use."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from statistics import fmean

from assay.base.labels import CONNECT, WHOLE
from assay.measurement.run.experiments.background_load import BackgroundLoad, background_load
from assay.measurement.run.experiments.peak_space import space_taken, watched
from assay.measurement.run.experiments.stage import Stage
from assay.system.server import disk_use, quoted_name

_AFTER_NS = 1_000_000_000
_LONGEST_S = 86_400.0
"""Limit for the statement: a large table is copied for hours."""
_NO_STATEMENT = (WHOLE, CONNECT)


def carry_out(stage: Stage) -> Mapping[str, float]:
    """Returns the seconds of the statement, and its effects on the load, unless the server is idle."""
    statement, held_s = str(stage.options["statement"]), float(stage.options["open_transaction_s"])
    if algorithm := stage.options["algorithm"]:
        statement += f", ALGORITHM={algorithm}"
    places = [stage.server.paths[0], *temporary_places(str(stage.ask("SELECT @@tmpdir")[0][0]))]
    before_bytes = disk_use(places[0])
    with nullcontext() if stage.options["idle"] else background_load(stage, stage.window_s) as background:
        if background is not None:
            background.measuring.wait()
            background.over.wait(stage.window_s / 3)
            background.still_there("the statement began")
        with (
            _held_open(stage, held_s) if held_s else nullcontext(),
            watched(places, stage.server.pid) as peak,
        ):
            stage.step("changing the schema")
            start = stage.moment("statement begins")
            stage.ask(statement, limit_s=_LONGEST_S)
            end = stage.moment("statement ended")
        if background is not None:
            background.still_there("the statement ended")
    measured = {
        "ddl_s": (end - start) / 1e9,
        "table_growth_bytes": float(disk_use(places[0]) - before_bytes),
        "temporary_bytes": float(peak.temporary(space_taken(places, stage.server.pid))),
    }
    return measured if background is None else measured | _suffered(stage, background, start, end)


def _suffered(stage: Stage, background: BackgroundLoad, start: int, end: int) -> dict[str, float]:
    """Returns the load's measures between these instants, and right after."""
    background.require()
    before, during = background.tps_before(start), background.tps(start, end)
    longest = background.longest_ms(start, end + _AFTER_NS)
    measured = {"longest_transaction_ms": longest.get(WHOLE, 0.0)}
    if statements := {label: ms for label, ms in longest.items() if label not in _NO_STATEMENT}:
        stage.facts["longest_statement"] = max(statements, key=statements.__getitem__)
        measured["longest_statement_ms"] = max(statements.values())
    if before > 0 and during:
        measured["tps_during_pct"] = 100 * fmean(during) / before
        measured["lowest_tps_pct"] = 100 * min(background.tps(start, end + _AFTER_NS)) / before
    return measured


def temporary_places(tmpdir: str) -> list[Path]:
    """Returns the directories of `@@tmpdir`, which the server uses in turns."""
    return [Path(one) for one in dict.fromkeys(tmpdir.split(":")) if one]


@contextmanager
def _held_open(stage: Stage, seconds: float) -> Iterator[None]:
    """Holds a transaction open that has read every table, so that the statement waits for its metadata
    lock.
    """
    with stage.connection() as connection, connection.cursor() as cursor:
        cursor.execute("SHOW TABLES")
        tables = [name for (name,) in cursor.fetchall()]
        cursor.execute("START TRANSACTION")
        for table in tables:
            cursor.execute(f"SELECT * FROM {quoted_name(table)} LIMIT 1")
            cursor.fetchall()
        failures: list[BaseException] = []
        unwanted = threading.Event()

        def commit() -> None:
            unwanted.wait(seconds)
            try:
                connection.commit()
            except BaseException as error:  # raised again below
                failures.append(error)

        holder = threading.Thread(target=commit, name="holder")
        holder.start()
        try:
            yield
        except BaseException:
            unwanted.set()  # nobody waits for the lock any more
            raise
        finally:
            holder.join()
        if failures:
            raise failures[0]
