"""What a server says of a file of statements: one server, all kinds of findings."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from assay.base.format.job import Phases
from assay.experiments.own import Checked, check
from assay.experiments.own.rehearsal import rehearsed
from assay.front.cli.own_view import checked_object, say_checked
from assay.system.engine import jobs
from assay.system.server import Instance

TABLES = """
CREATE TABLE items (id INT PRIMARY KEY, kind INT NOT NULL, name VARCHAR(20) NOT NULL, body LONGTEXT);
INSERT INTO items SELECT seq, seq % 50, concat('n', seq), '' FROM seq_1_to_5000;
CREATE TABLE big (id INT PRIMARY KEY, body LONGTEXT);
INSERT INTO big VALUES (1, REPEAT('x', 1050000));
ANALYZE TABLE items;
CREATE TABLE broken (id INT PRIMARY KEY) ENGINE=MRG_MyISAM UNION=(gone)
"""
FILE = """
-- @transaction good
SELECT name FROM items WHERE id = :id; -- @let id = column(items.id)
-- @label invented
SELECT name FROM items WHERE id = :far; -- @let far = int(1..100000)
-- @label scan
SELECT COUNT(*) FROM items WHERE name LIKE 'x%';
-- @label cached
SELECT name FROM items WHERE id = :few; -- @let few = int(1..3)
SELECT body FROM big WHERE id = 1;
-- @label wrong
SELECT nothing FROM items WHERE id = :id;
-- @transaction of_its_own
SELECT id FROM broken WHERE id > 5;
-- @transaction writes
INSERT INTO items VALUES (:new, 1, :text, ''); -- @let new = seq(items.id), text = text(30..40)
"""
WRITES = FILE[FILE.index("-- @transaction writes") :]


class Progress:
    """Hears nothing."""

    def note(self, message: str) -> None: ...
    def step(self, what: str) -> None: ...
    def event(self, event: object) -> None: ...


@pytest.fixture
def dsn(mariadb: Instance) -> Iterator[str]:
    with closing(mariadb.connect()) as connection:
        connection.rows("CREATE DATABASE own_check", columns=0)
        connection.select_db("own_check")
        for statement in TABLES.strip().split(";\n"):
            connection.rows(statement, columns=0)
        yield f"dsn:mysql://root@localhost/own_check?socket={mariadb.socket}"
        connection.rows("DROP DATABASE own_check", columns=0)


def found(checked: Checked) -> dict[str, set[str]]:
    return {one.tried.label: {each.kind for each in one.findings} for one in checked.statements}


def test_each_kind_of_finding_is_named(
    dsn: str, mariadb: Instance, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "shop.sql"
    file.write_text(FILE)
    checked = check(file, {}, server=None, dsn=dsn, progress=Progress())  # type: ignore[arg-type]
    assert found(checked) == {
        "select_items": set(),
        "invented": {"misses"},
        "scan": {"full-scan"},
        "cached": {"tiny-pool"},
        "select_big": {"huge-result"},
        "wrong": {"refused"},
        "select_broken": {"refused"},
        "insert_items": set(),
    }
    told = {one["label"]: one for one in json.loads(json.dumps(checked_object(checked)))["statements"]}
    good = told["select_items"]
    assert (good["hit_rate"], good["types"], good["place"]) == (1.0, ["items.id int(11)"], "3:1")
    assert good["plan"] == ["items: const PRIMARY ~1"]
    assert told["insert_items"]["unsent"] > 0 == told["insert_items"]["executions"]
    say_checked(checked)
    said = capsys.readouterr().out
    assert "the server does not tell the rows of broken: " in said
    assert "shop.sql:5:1: invented: misses: finds no row in " in said
    assert " int(11) " in said
    # Where it may write, the value that does not fit is found.
    file.write_text(WRITES)
    job = jobs.job(
        "run",
        target=jobs.target(replace(mariadb.address, database="own_check")),
        workload=f"sql:{file}",
        options={},
        seed=1,
        load=jobs.closed_loop(1),
        phases=Phases(measure_ms=1000),
    )
    tried = {one.label: one for one in rehearsed(job, writes=True, env={})}
    assert {code for code, _ in tried["insert_items"].errors} == {1406}
