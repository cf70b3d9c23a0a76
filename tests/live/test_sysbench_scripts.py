"""`assay sysbench SCRIPT` on a real server: commands, text, JSON, the statements that the server counts."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from assay.system.server import Instance
from live_command import Finished, wait_for
from pymysql.cursors import Cursor

pytestmark = pytest.mark.live

PEER = Path("/usr/share/sysbench")
COUNTERS = (
    "begin",
    "commit",
    "delete",
    "insert",
    "rollback",
    "select",
    "set_option",
    "stmt_close",
    "stmt_execute",
    "stmt_prepare",
    "update",
)
AROUND = {"select": 4}
"""Statements of the engine itself around a run: it asks the server for its limits."""


@pytest.fixture
def where(mariadb: Instance) -> list[str]:
    return [f"--mysql-socket={mariadb.socket}", "--mysql-user=root", "--mysql-db=assay"]


def _done(ended: Finished, code: int = 0) -> str:
    assert ended.code == code, ended.err
    return ended.out


def test_a_statement_loads_the_file_that_it_names(
    assay: Callable[..., Finished], where: list[str], mariadb: Instance, tmp_path: Path
) -> None:
    rows = tmp_path / "rows.csv"
    rows.write_text("1,one\n2,two\n")
    script = tmp_path / "load.lua"
    script.write_text(
        "function event()\n"
        "  local con = sysbench.sql.driver():connect()\n"
        '  con:query("CREATE TABLE IF NOT EXISTS named_file (a INT, b VARCHAR(20))")\n'
        f"  con:query(\"LOAD DATA LOCAL INFILE '{rows}' INTO TABLE named_file FIELDS TERMINATED BY ','\")\n"
        '  print("rows", con:query_row("SELECT COUNT(*), MAX(b) FROM named_file"))\n'
        '  con:query("DROP TABLE named_file")\n'
        "end\n"
    )
    text = _done(assay("sysbench", str(script), *where, "--events=1", "--time=20", "run"))
    assert "rows\t2\ttwo" in text


def test_a_bundled_script_from_prepare_to_cleanup(assay: Callable[..., Finished], where: list[str]) -> None:
    script = ("sysbench", "oltp_read_write", *where, "--tables=2", "--table-size=300", "--threads=2")
    made = _done(assay(*script, "prepare"))
    assert made.startswith("sysbench 1.0.20 (using assay ")
    for line in ("Creating table 'sbtest2'...", "Inserting 300 records into 'sbtest1'"):
        assert line in made

    text = _done(assay(*script, "--time=2", "--report-interval=1", "--rand-type=uniform", "run"))
    head, _, rest = text.partition("Threads started!\n\n")
    assert head.endswith(
        "Initializing random number generator from current time\n\n\nInitializing worker threads...\n\n"
    )
    assert re.match(
        r"\[ 1s \] thds: 2 tps: \d+\.\d\d qps: \d+\.\d\d \(r/w/o: .*\) lat \(ms,95%\): \d+\.\d\d err/s: ",
        rest,
    )
    found = {name: int(count) for name, count in re.findall(r"^ +(\w+): +(\d+)", rest, re.MULTILINE)}
    assert found["read"] >= 14 * found["transactions"] > 0
    assert found["total"] == found["read"] + found["write"] + found["other"]
    assert "Threads fairness:\n    events (avg/stddev):" in rest

    # Without transactions two threads may insert the same id.
    words = ("--events=40", "--skip-trx", "--mysql-ignore-errors=1062,1213", "--output=json")
    answer = json.loads(_done(assay(*script, *words, "run")))
    assert (answer["script"], answer["threads"], answer["events"]) == ("oltp_read_write", 2, 40)
    assert set(answer["labels"]) >= {"transaction", "select", "insert", "update", "delete"}
    assert answer["labels"]["select"]["count"] >= 14 * 40
    assert answer["complete"]
    assert "commit" not in answer["labels"]

    assert "Dropping table 'sbtest2'..." in _done(assay(*script, "cleanup"))
    options = _done(assay("sysbench", "oltp_read_write", "help"))
    assert re.search(r"^  --table[-_]size=N +Number of rows per table \[10000\]$", options, re.MULTILINE)


def test_a_script_of_ones_own(assay: Callable[..., Finished], where: list[str], tmp_path: Path) -> None:
    script = tmp_path / "own.lua"
    script.write_text(
        """
sysbench.cmdline.options = {word = {"A word", "none"}}
function init() print("init " .. sysbench.opt.word) end
function thread_init() con = sysbench.sql.driver():connect() end
function event() con:query("DO 1") end
function sysbench.hooks.report_cumulative(stat) print("events: " .. stat.events) end
sysbench.cmdline.commands = {
  fails = {function() error("no luck") end, sysbench.cmdline.PARALLEL_COMMAND},
}
"""
    )
    (tmp_path / "s.cfg").write_text("word = from-a-file\nevents=9\n")
    words = ("sysbench", str(script), *where)
    text = _done(assay(*words, f"--config-file={tmp_path}/s.cfg", "run"))
    assert "init from-a-file\n" in text
    assert "events: 9\n" in text
    assert "SQL statistics" not in text, "the script reports itself"
    failed = assay(*words, "--threads=2", "fails")
    assert failed.code == 1
    assert "own.lua:8: no luck" in failed.err

    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "assay.front.cli",
            "sysbench",
            "-",
            *where,
            "--word=given",
            "--events=5",
            "run",
        ],
        input=script.read_text(),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert "init given\n" in done.stdout
    assert "events: 5\n" in done.stdout


def test_a_thread_that_fails_after_its_events_leaves_the_others_at_work(
    assay: Callable[..., Finished], where: list[str], tmp_path: Path
) -> None:
    script = tmp_path / "early.lua"
    script.write_text(
        """
function thread_init() con = sysbench.sql.driver():connect() end
function event() if sysbench.tid == 0 then return true end con:query("DO SLEEP(0.01)") end
function thread_done() if sysbench.tid == 0 then error("no luck") end end
function sysbench.hooks.report_cumulative(stat) print("events: " .. stat.events) end
"""
    )
    words = ("sysbench", str(script), *where, "--threads=3", "--events=100", "--time=60", "run")
    ended = assay(*words)
    assert ended.code == 1
    assert "events: 99\n" in ended.out, "all but the last event of the first thread"
    assert "FATAL: `thread_done' function failed: " in ended.err
    assert "early.lua:4: no luck" in ended.err


def test_a_thread_that_fails_before_its_events_is_told_as_by_sysbench(
    assay: Callable[..., Finished], where: list[str], tmp_path: Path
) -> None:
    script = tmp_path / "init.lua"
    script.write_text('function thread_init() error("no luck") end\nfunction event() end\n')
    ended = assay("sysbench", str(script), *where, "--events=1", "run")
    assert ended.code == 1
    told = [line for line in ended.err.splitlines() if line.startswith("FATAL: ")]
    assert re.fullmatch(r"FATAL: `thread_init' function failed: \S*init.lua:1: no luck", told[0])
    assert told[1:] == ["FATAL: Thread initialization failed!"]


def test_a_thread_of_a_command_that_fails_leaves_the_others_at_work(
    assay: Callable[..., Finished], mariadb: Instance, where: list[str], tmp_path: Path
) -> None:
    script = tmp_path / "same.lua"
    script.write_text(
        """
sysbench.cmdline.options = {rows = {"Rows", 200}}
local function prepare()
  local con = sysbench.sql.driver():connect()
  con:query("CREATE TABLE same (id INT PRIMARY KEY)")
  for id = 1, sysbench.opt.rows do con:query("INSERT INTO same VALUES (" .. id .. ")") end
end
local function cleanup() sysbench.sql.driver():connect():query("DROP TABLE same") end
sysbench.cmdline.commands = {prepare = {prepare, sysbench.cmdline.PARALLEL_COMMAND}, cleanup = {cleanup}}
"""
    )
    failed = assay("sysbench", str(script), *where, "--threads=4", "prepare")
    assert failed.code == 1
    assert "same.lua:5: SQL error, errno = 1050" in failed.err
    with closing(mariadb.connect()) as connection:
        ((rows,),) = connection.rows("SELECT COUNT(*) FROM assay.same", columns=1)
    assert rows == 200, "the thread that made the table has filled it"
    _done(assay("sysbench", str(script), *where, "cleanup"))


def test_an_error_names_the_line_and_the_figures_are_shown(
    assay: Callable[..., Finished], where: list[str], tmp_path: Path
) -> None:
    script = tmp_path / "wrong.lua"
    script.write_text(
        "local n = 0\nfunction thread_init() con = sysbench.sql.driver():connect() end\nfunction event()\n"
        "  n = n + 1\n  con:query(n < 20 and 'DO 1' or 'SELECT * FROM nowhere')\nend\n"
    )
    ended = assay("sysbench", str(script), *where, "run")
    assert ended.code == 1
    assert "wrong.lua:5: SQL error, errno = 1146, state = '42S02'" in ended.err
    assert re.search(r"transactions: +19 ", ended.err)


def test_a_need_for_more_prepared_statements_is_told_before_the_first_event(
    assay: Callable[..., Finished], mariadb: Instance, where: list[str]
) -> None:
    script = ("sysbench", "oltp_read_write", *where, "--tables=2", "--table-size=50")
    _done(assay(*script, "prepare"))

    def ask(sql: str) -> str:
        with closing(mariadb.connect()) as connection:
            rows = connection.rows(sql, columns=0)
        return str(rows[0][0]) if rows else ""

    usual = ask("SELECT @@GLOBAL.max_prepared_stmt_count")
    begun = ask("SHOW GLOBAL STATUS LIKE 'Com_update'")
    ask("SET GLOBAL max_prepared_stmt_count = 100")
    try:
        ended = assay(*script, "--threads=8", "--time=20", "run")
        assert ended.code == 1
        need = re.search(r"8 threads with (\d+) prepared statements each need (\d+)", ended.err)
        assert need is not None, ended.err
        each, total = map(int, need.groups())
        assert total == 8 * each > 100
        assert f"SET GLOBAL max_prepared_stmt_count = {total}," in ended.err
        assert ask("SHOW GLOBAL STATUS LIKE 'Com_update'") == begun, "no event had begun"
        ask(f"SET GLOBAL max_prepared_stmt_count = {total}")
        _done(assay(*script, "--threads=8", "--events=9", "run"))
    finally:
        ask(f"SET GLOBAL max_prepared_stmt_count = {usual}")
        _done(assay(*script, "cleanup"))


def test_threads_pause_between_events(
    assay: Callable[..., Finished], where: list[str], tmp_path: Path
) -> None:
    script = tmp_path / "own.lua"
    script.write_text(
        "function thread_init() con = sysbench.sql.driver():connect() end\n"
        "function event() con:query('DO 1') end\n"
    )
    words = ("sysbench", str(script), *where, "--threads=2", "--time=2", "--think-ms=100", "--json")
    answer = json.loads(_done(assay(*words, "run")))
    assert 20 <= answer["events"] <= 42
    assert answer["labels"]["transaction"]["p50"] < 50, "a pause is no part of an event"
    refused = assay(*words, "--rate=10", "run")
    assert refused.code != 0
    assert "--think-ms cannot be combined with --rate" in refused.err


@pytest.mark.skipif(
    shutil.which("sysbench") is None or not PEER.is_dir(),
    reason="sysbench is not installed: scripts/machine sysbench",
)
def test_the_server_counts_what_it_counts_of_sysbench(
    assay: Callable[..., Finished], mariadb: Instance, where: list[str]
) -> None:
    events = 30
    words = [*where, "--tables=2", "--table-size=500"]
    run = ["--time=60", f"--events={events}", "run"]

    def counters() -> dict[str, int]:
        """Read the server's counters once it has read a tool's last statements: closing one has no answer."""
        with closing(mariadb.connect()) as connection, connection.cursor() as cursor:
            wait_for(lambda: _connections(cursor) == 1)
            cursor.execute("SHOW GLOBAL STATUS LIKE 'Com\\_%'")
            return {name.removeprefix("Com_"): int(value) for name, value in cursor.fetchall()}

    def counted(work: Callable[[], object]) -> dict[str, int]:
        before = counters()
        work()
        after = counters()
        return {name: after[name] - before[name] for name in COUNTERS}

    def ours(*arguments: str) -> None:
        _done(assay("sysbench", *arguments))

    def theirs(*arguments: str) -> None:
        subprocess.run(["sysbench", *arguments], check=True, capture_output=True, timeout=60)

    first = str(PEER / "oltp_read_write.lua")
    for tool in (ours, theirs):
        tool(first, *words, "prepare")
        tool(first, *words, "cleanup")
    assert not {name for name in _tables(mariadb) if name.startswith("sbtest")}
    ours(first, *words, "prepare")
    for name in ("oltp_read_write", "oltp_insert", "select_random_points"):
        script = str(PEER / f"{name}.lua")
        tables = words if name != "select_random_points" else [*words, "--tables=1"]
        for mode in ([], ["--db-ps-mode=disable"]) if name == "oltp_read_write" else ([],):
            asked = [script, *tables, *mode, *run]
            mine, peers = counted(partial(ours, *asked)), counted(partial(theirs, *asked))
            over = {one: mine[one] - peers[one] for one in COUNTERS if mine[one] != peers[one]}
            assert all(0 <= extra <= AROUND.get(one, 0) for one, extra in over.items()), (name, mode, over)
    ours(first, *words, "cleanup")


def _connections(cursor: Cursor) -> int:
    cursor.execute("SHOW GLOBAL STATUS LIKE 'Threads_connected'")
    ((_, count),) = cursor.fetchall()
    return int(count)


def _tables(server: Instance) -> set[str]:
    with closing(server.connect()) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT table_name FROM information_schema.tables WHERE table_schema = 'assay'")
        return {name for (name,) in cursor.fetchall()}
