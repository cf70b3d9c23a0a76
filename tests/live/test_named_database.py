"""A study of a dump that names its own database: everything that asks the server finds the tables there."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from assay.design.folder import ResultsFolder, read_manifest, read_plans
from live_command import Finished

pytestmark = pytest.mark.live

STUDY = """
[study]
name = "named"
[server]
use = "mariadb"
[dataset]
use = "dump:shop.sql"
[workload]
use = "sql:queries.sql"
[load]
threads = [1]
warmup = "100ms"
measure = "300ms"
[design]
blocks = 1
"""
DUMP = """
CREATE DATABASE Shop;
USE Shop;
CREATE TABLE a (id INT PRIMARY KEY, b INT);
INSERT INTO a VALUES (1, 2), (2, 3);
"""


def test_plans_are_of_the_database_that_a_dump_names(assay: Callable[..., Finished], tmp_path: Path) -> None:
    (tmp_path / "shop.sql").write_text(DUMP)
    (tmp_path / "queries.sql").write_text("SELECT b FROM a WHERE id = :id;   -- @let id = column(a.id)\n")
    study, folder = tmp_path / "study.toml", ResultsFolder(tmp_path / "results")
    study.write_text(STUDY)

    done = assay("run", str(study), "--results", str(folder.path), "--no-report")

    assert done.code == 0, done.err
    (plans,) = [read_plans(run) for run in folder.finished_runs()]
    assert plans is not None
    assert plans.unknown is None
    accesses = {one.statement: [step.access for step in one.steps] for one in plans.statements}
    assert accesses["SELECT b FROM a WHERE id = ?"] == ["const"], accesses


@pytest.mark.long
def test_a_replica_has_the_heartbeat_and_the_rows_of_that_database(
    assay: Callable[..., Finished], tmp_path: Path
) -> None:
    (tmp_path / "shop.sql").write_text(DUMP)
    (tmp_path / "queries.sql").write_text(
        "UPDATE a SET b = :v WHERE id = :id;   -- @let id = int(1..2), v = int(1..99)\n"
    )
    study, folder = tmp_path / "study.toml", ResultsFolder(tmp_path / "results")
    study.write_text(
        STUDY.replace("300ms", "3s").replace('"100ms"', '"none"') + '[experiment]\nuse = "replication"\n'
    )

    done = assay("run", str(study), "--results", str(folder.path), "--no-report")

    assert done.code == 0, done.err
    (run,) = folder.finished_runs()
    (record,) = run.path.glob("rungs/*/found.json")
    figures = {one["name"]: one["value"] for one in json.loads(record.read_text())[0]["figures"]}
    assert (figures["differing_tables"], figures["broken_replicas"]) == (0, 0)
    assert figures["lag_max_ms"] > 0, figures


CONDITIONS = """
sysbench.cmdline.commands = {check = {function()
   local con = sysbench.sql.driver():connect()
   local sum = con:query_row("SELECT SUM(b) FROM a")
   assert(tonumber(sum) == SUM, "the sum is " .. tostring(sum))
end}}
function thread_init() con = sysbench.sql.driver():connect() end
function event() con:query("SELECT b FROM a WHERE id = 1") end
"""


@pytest.mark.parametrize(("total", "status"), [(5, "complete"), (6, "failed")])
def test_conditions_are_looked_at_in_that_database(
    total: int, status: str, assay: Callable[..., Finished], tmp_path: Path
) -> None:
    (tmp_path / "shop.sql").write_text(DUMP)
    (tmp_path / "sum.lua").write_text(CONDITIONS.replace("SUM,", f"{total},"))
    study, folder = tmp_path / "study.toml", ResultsFolder(tmp_path / "results")
    study.write_text(STUDY.replace("sql:queries.sql", "lua:sum.lua"))

    done = assay("run", str(study), "--results", str(folder.path), "--no-report")

    (manifest,) = map(read_manifest, folder.finished_runs())
    assert manifest.status == status, done.err
    said = "" if manifest.failure is None else manifest.failure.message
    assert ("the sum is 5" in said) is (status == "failed"), said
