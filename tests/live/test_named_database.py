"""A study of a dump that names its own database: everything that asks the server finds the tables there."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from assay.design.folder import ResultsFolder, read_plans
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
