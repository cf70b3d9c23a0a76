"""The experiment on bulk loads: fills tables on an empty server, and reads them from a cold cache."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from assay.base.errors import ServerError
from assay.base.format.job import EngineOptions, LoadAs, Phases
from assay.measurement.run.experiments.resource_use import ResourceUse, used
from assay.measurement.run.experiments.stage import Stage
from assay.measurement.run.experiments.table_files import table_files
from assay.system.engine import jobs
from assay.system.server import forget_cached, quoted_name

_WITH_ROWS = (".ibd", ".MYD", ".MAD")
"""Suffixes of files that hold rows: InnoDB, MyISAM, Aria."""


def carry_out(stage: Stage) -> Mapping[str, float]:
    """Returns the seconds, CPU and bytes of one load, and the cost of reading its tables."""
    stage.step(f"loading over {stage.sessions} sessions")
    engine = EngineOptions(
        loaders=stage.sessions,
        index_first=stage.options["index"] == "before",
        load_as=msgspec.convert(stage.options["way"], LoadAs),
        rows_per_statement=int(stage.options["rows_per_statement"]),
    )
    before = used(stage.server.pid)
    done = stage.run(stage.job("prepare", engine=engine), keep=True).require().done
    assert done is not None
    after = used(stage.server.pid)
    stage.moment("loaded")
    stage.facts["loaded_as"] = str(done.loaded_as)
    stage.facts["load_statements"] = str(done.load_statements)
    _write_pages(stage)
    rows = max(done.rows, 1)
    return {
        "load_s": done.elapsed_s,
        "load_rows_per_s": done.rows / done.elapsed_s,
        "load_cpu_us_per_row": (after.cpu_us - before.cpu_us) / rows,
        "load_write_bytes_per_row": (after.written_bytes - before.written_bytes) / rows,
        **weight(table_files(stage.server.paths[0]), rows),
        **(_read(stage, float(stage.options["read_s"])) if stage.options["read_s"] else {}),
    }


def weight(files: Sequence[Path], rows: int) -> dict[str, float]:
    """Returns the bytes of a row; empty where the rows are in a tablespace that all tables share."""
    if not any(path.suffix in _WITH_ROWS for path in files):
        return {}
    states = [path.stat() for path in files]
    return {
        "file_bytes_per_row": sum(state.st_size for state in states) / rows,
        "disk_bytes_per_row": sum(state.st_blocks * 512 for state in states) / rows,
    }


def _write_pages(stage: Stage) -> None:
    """Makes the server write pages that are in memory alone, since only then a compressed page has its size
    on disk.

    MySQL 5.5 has no statement for it; its pages have one size anyway. Other engines have none either: they
    keep no dirty data pages.
    """
    with stage.connection() as connection, connection.cursor() as cursor:
        cursor.execute("SHOW TABLES")
        for (table,) in cursor.fetchall():
            with suppress(ServerError):
                cursor.execute(f"FLUSH TABLES {quoted_name(table)} FOR EXPORT")
                cursor.execute("UNLOCK TABLES")


def _read(stage: Stage, seconds: float) -> dict[str, float]:
    """Returns measures of the workload on a server whose pages are neither in its memory nor in the
    kernel's.
    """
    stage.step("restarting the server")
    stage.rung.set_aside("load")
    stage.restart({"innodb_buffer_pool_load_at_startup": "OFF"})
    forget_cached(table_files(stage.server.paths[0]))
    stage.step("reading")
    stage.moment("reading begins")
    job = stage.job(
        "run",
        load=jobs.closed_loop(stage.sessions),
        phases=Phases(measure_ms=jobs.milliseconds(seconds)),
    )
    before, pages_before = used(stage.server.pid), _pages_read(stage)
    result = stage.run(job, keep=True).require().result
    after, pages_after = used(stage.server.pid), _pages_read(stage)
    assert result is not None
    return reading(result.queries, result.elapsed_s, before, after, pages_after - pages_before)


def reading(
    queries: int, elapsed_s: float, before: ResourceUse, after: ResourceUse, pages: int
) -> dict[str, float]:
    """Returns the measures of a reading; those by query are left out where none ended."""
    measured = {"cold_qps": queries / elapsed_s}
    if queries:
        measured["cold_read_bytes_per_query"] = (after.read_bytes - before.read_bytes) / queries
        measured["cold_pages_per_query"] = pages / queries
    return measured


def _pages_read(stage: Stage) -> int:
    return int(stage.ask("SHOW GLOBAL STATUS LIKE 'Innodb_pages_read'")[0][1])
