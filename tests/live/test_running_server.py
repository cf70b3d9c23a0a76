"""Studies on a running server: its tables must be those of the study, and the report states what was done."""

from __future__ import annotations

import json
import re
import shlex
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from assay.base.errors import AssayError, ConflictError
from assay.design.folder import ResultsFolder, read_manifest
from assay.design.folder.manifest import Doubted, Scalar
from assay.measurement.source.running_tables import ExistingTables
from assay.measurement.source.table_notes import NOTES
from assay.system.engine.interrupts import Interrupts
from assay.system.server import Instance, parse_dsn
from assay.testing import treatment
from forked import Command
from live_command import PATIENCE_S, Finished

Assay = Callable[..., Finished]
Write = Callable[..., Path]


class Database:
    """A database of one test on the shared server."""

    def __init__(self, server: Instance) -> None:
        self.server = server
        self.use = f"dsn:mysql://root@localhost/theirs?socket={server.socket}"
        self.where = ["--socket", str(server.socket), "--user", "root", "--db", "theirs"]

    def ask(self, sql: str) -> list[tuple[object, ...]]:
        with closing(self.server.connect()) as connection:
            return connection.rows(sql, columns=0)


@pytest.fixture
def theirs(mariadb: Instance) -> Iterator[Database]:
    database = Database(mariadb)
    database.ask("CREATE OR REPLACE DATABASE theirs")
    yield database
    database.ask("DROP DATABASE theirs")


@pytest.mark.long
def test_the_lab_knows_its_tables_again(
    assay: Assay, write_study: Write, tmp_path: Path, theirs: Database
) -> None:
    def run(rows: int, results: str, *options: str) -> Finished:
        study = write_study(use=theirs.use, factor="", variables="", rows=rows)
        return assay("run", str(study), "--results", str(tmp_path / results), *options)

    made = run(500, "made")
    assert made.code == 0, made.err
    assert theirs.ask(f"SELECT name FROM theirs.{NOTES}") == [("sbtest1",)]
    page = ResultsFolder(tmp_path / "made").report.read_text()
    assert "The server was not restarted and its data were not restored between runs" in page
    assert "freshly started server with a fresh copy" not in page
    assert "share the history of a server that was running already" in page
    assert "were not made by this lab" not in page

    theirs.ask("DELETE FROM theirs.sbtest1 WHERE id = 7")
    again = run(500, "again")
    assert again.code == 0, again.err
    page = ResultsFolder(tmp_path / "again").report.read_text()
    assert "earlier load has changed the tables since they were made" in page

    refused = run(700, "other")
    assert refused.code == 7
    assert "sbtest1 was made with table_size = 500, the study says 700" in refused.err
    assert not (tmp_path / "other" / "runs").exists() or not list((tmp_path / "other" / "runs").iterdir())
    command = re.search(r"assay bench oltp_read_write cleanup .*", refused.err)
    assert command is not None
    cleaned = assay(*shlex.split(command[0])[1:])
    assert cleaned.code == 0, cleaned.err
    after = run(700, "other", "--no-report")
    assert after.code == 0, after.err

    # A note belongs to the table as it was made: one of the same name that somebody else makes has none.
    for action in ("cleanup", "prepare"):
        done = assay("bench", "oltp_read_write", action, "--table-size", "900", *theirs.where)
        assert done.code == 0, done.err
    refused = run(700, "third")
    assert refused.code == 7
    assert "sbtest1 holds 900 rows, the study says 700" in refused.err


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("DELETE FROM theirs.sbtest1 WHERE id <= 100", "sbtest1 holds 400 rows, the study says 500"),
        ("DROP INDEX k_1 ON theirs.sbtest1", "sbtest1 has no secondary index"),
        ("ALTER TABLE theirs.sbtest1 ENGINE = Aria", "sbtest1 has the storage engine Aria"),
        ("DROP TABLE theirs.sbtest1", ""),
        ("SELECT 1", None),
    ],
)
def test_tables_of_others_are_compared(
    assay: Assay,
    write_study: Write,
    tmp_path: Path,
    theirs: Database,
    change: str,
    words: str | None,
) -> None:
    made = assay("bench", "oltp_read_write", "prepare", "--table-size", "500", *theirs.where)
    assert made.code == 0, made.err
    theirs.ask(change)
    study = write_study(use=theirs.use, factor="", variables="", rows=500)
    ran = assay("run", str(study), "--results", str(tmp_path / "results"))
    if words:
        assert ran.code == 7, ran.err
        assert words in ran.err
        return
    assert ran.code == 0, ran.err
    page = ResultsFolder(tmp_path / "results").report.read_text()
    assert ("sbtest1 were not made by this lab" in page) is (words is None)


@pytest.mark.parametrize(
    ("workload", "options"),
    [
        ("ycsb", {"recordcount": 200}),
        ("smallbank", {"accounts": 2000}),
        ("tatp", {"subscribers": 200, "foreign_keys": False}),
        ("insert_benchmark", {"rows": 200}),
    ],
)
def test_tables_of_every_kind_of_workload(
    theirs: Database, workload: str, options: dict[str, Scalar]
) -> None:
    address = parse_dsn(theirs.use)

    def ready(**more: Scalar) -> list[Doubted]:
        wanted = treatment(server_use=theirs.use, workload=workload, workload_options={**options, **more})
        return ExistingTables(address, wanted, Interrupts()).ready(lambda _: None, lambda _: None)

    assert ready() == []
    assert ready() == []
    with pytest.raises(ConflictError, match="was made with"):
        ready(create_table_options="COMMENT 'others'")
    *others, (last,) = theirs.ask(f"SELECT name FROM theirs.{NOTES} ORDER BY name")
    theirs.ask(f"DROP TABLE theirs.{last}")
    if others:  # what is left stands in the way of a new load
        with pytest.raises(AssayError) as refused:
            ready()
        assert f"assay bench {workload} cleanup" in (refused.value.hint or "")


def test_others_secondary_indexes_are_counted(theirs: Database, assay: Assay) -> None:
    made = assay("bench", "insert_benchmark", "prepare", "--rows", "200", *theirs.where)
    assert made.code == 0, made.err
    options: dict[str, Scalar] = {"rows": 200, "secondary_indexes": 1}
    wanted = treatment(server_use=theirs.use, workload="insert_benchmark", workload_options=options)
    tables = ExistingTables(parse_dsn(theirs.use), wanted, Interrupts())
    with pytest.raises(ConflictError, match="has 3 secondary indexes, the study says secondary_indexes = 1"):
        tables.ready(lambda _: None, lambda _: None)


@pytest.mark.long
def test_a_running_server_is_compared_at_two_settings_and_keeps_its_own(
    start: Callable[..., Command], assay: Assay, write_study: Write, tmp_path: Path, theirs: Database
) -> None:
    """Also when the lab is killed while the server has others."""
    variable, of_sessions = "innodb_flush_log_at_trx_commit", "innodb_lock_wait_timeout"
    now = f"SELECT @@global.{variable}, @@global.{of_sessions}"
    had = theirs.ask(now)
    factor = f'\n[[factor]]\nname = "server.dynamic.{variable}"\nlevels = [0, 2]\n'
    study = write_study(
        use=theirs.use, on=f"dynamic = {{ {of_sessions} = 7 }}\n", factor=factor, variables="", blocks=2
    )
    planned = assay("plan", str(study))
    assert planned.code == 0, planned.err
    assert f"SET GLOBAL {of_sessions}, {variable} at dsn:" in planned.out
    assert theirs.ask(now) == had
    folder = ResultsFolder(tmp_path / "results")
    killed = start("run", str(study), "--results", str(folder.path))
    deadline = time.monotonic() + PATIENCE_S
    while not folder.finished_runs() or theirs.ask(now) == had:
        assert killed.poll() is None, killed.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.02)
    killed.kill()
    killed.communicate()
    assert theirs.ask(now) != had
    assert f"a killed study has left {of_sessions}, {variable} set at" in assay("plan", str(study)).out
    swept = assay("dataset", "list")
    assert f"gave the server at root@{theirs.server.socket} back what it had" in swept.err
    assert theirs.ask(now) == had
    ran = assay("run", str(study), "--results", str(folder.path))
    assert ran.code == 0, ran.err
    assert theirs.ask(now) == had
    found = [(run, read_manifest(run)) for run in folder.finished_runs()]
    assert len(found) == 4
    for run, manifest in found:
        facts = json.loads(run.facts("server", "before").read_text())
        assert facts["variables"][variable] == str(manifest.levels[f"server.dynamic.{variable}"])
        (rung,) = manifest.rungs
        events = (run.path / rung.dir / "events.jsonl").read_text()
        assert f'"{of_sessions}":"7"' in events.replace(" ", "")
    page = folder.report.read_text()
    assert f"{variable}: set with SET GLOBAL before the load of each run, read back, and put back" in page
    assert "share the history of a server that was running already" in page
    assert f"{variable}: set while the server ran, so what a value does from a start on is not" in page


@pytest.mark.long
def test_a_study_that_only_reads_makes_and_writes_nothing(
    assay: Assay, write_study: Write, tmp_path: Path, theirs: Database
) -> None:
    made = assay("bench", "oltp_read_write", "prepare", "--table-size", "500", *theirs.where)
    assert made.code == 0, made.err
    (tmp_path / "mine.lua").write_text("function event() db_query('SELECT 1') end", encoding="utf-8")
    (tmp_path / "mine.sql").write_text(
        "-- @option w = false\n-- @transaction a\n-- @if $w\nDELETE FROM sbtest1;\n-- @else\n"
        "SELECT 1 FROM sbtest1;\n-- @end\n",
        encoding="utf-8",
    )
    theirs.ask("CREATE USER reader@localhost")
    theirs.ask("GRANT SELECT ON theirs.* TO reader@localhost")
    state = (
        "SELECT TABLE_NAME, CREATE_TIME, UPDATE_TIME FROM information_schema.TABLES"
        " WHERE TABLE_SCHEMA = 'theirs'"
    )
    before = theirs.ask(state)

    def ended(
        verb: str, workload: str, user: str = "root", rows: int | None = 500, option: str = ""
    ) -> Finished:
        study = write_study(use=theirs.use.replace("root@", f"{user}@"), factor="", variables="", blocks=1)
        text = study.read_text(encoding="utf-8").replace("[server]", "[server]\nread_only = true")
        text = text.replace('use = "oltp_read_write"', f'use = "{workload}"\n{option}')
        if rows is None:
            text = re.sub(r"(?m)^table(s|_size) = .*\n", "", text)
        study.write_text(text, encoding="utf-8")
        results = str(tmp_path / f"of-{user}-{workload.replace(':', '-')}")
        return assay(verb, str(study), "--results", results, *(["--no-report"] if verb == "run" else []))

    try:
        for verb in ("plan", "run"):
            writing = ended(verb, "oltp_read_write")
            assert writing.code == 2
            assert "the load of oltp_read_write writes rows" in writing.err
            unknown = ended(verb, "lua:mine.lua", rows=None)
            assert unknown.code == 2
            assert "lua:mine.lua may write" in unknown.err
            chosen = ended(verb, "sql:mine.sql", rows=None, option="w = true")
            assert chosen.code == 2
            assert "the load of sql:mine.sql writes rows" in chosen.err
        assert ended("plan", "sql:mine.sql", rows=None).code == 0
        for workload, rows in (("oltp_read_only", 500), ("lua:mine.lua", None), ("sql:mine.sql", None)):
            ran = ended("run", workload, "reader", rows)
            assert ran.code == 0, ran.err
        theirs.ask("DROP TABLE theirs.sbtest1")
        missing = ended("plan", "oltp_point_select", "reader")
        assert "a study with server.read_only makes none" in missing.err
        before = []
    finally:
        theirs.ask("DROP USER reader@localhost")
    assert theirs.ask(state) == before
