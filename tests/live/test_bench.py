"""`assay bench` on a real server."""

from __future__ import annotations

import json
import re
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import datetime

import pytest
from assay.system.server import Instance
from forked import Command
from live_command import PATIENCE_S, Finished
from pymysql.cursors import Cursor

pytestmark = pytest.mark.live

TABLES = ("--tables", "2", "--table-size", "300")
WORKLOAD = "oltp_read_write"
TIMES = ["min", "mean", "p50", "p75", "p90", "p95", "p99", "p99_9", "max"]


@pytest.fixture
def where(mariadb: Instance) -> list[str]:
    return ["--socket", str(mariadb.socket), "--db", "assay"]


@pytest.fixture
def tables(assay: Callable[..., Finished], where: list[str]) -> Iterator[None]:
    """The workload's tables, there for one test."""
    made = assay("bench", WORKLOAD, "prepare", *where, *TABLES)
    assert made.code == 0, made.err
    yield
    assert assay("bench", WORKLOAD, "cleanup", *where, *TABLES).code == 0


def test_prepare_check_run_cleanup(assay: Callable[..., Finished], where: list[str], tables: None) -> None:
    checked = assay("bench", WORKLOAD, "check", *where, *TABLES)
    assert (checked.code, "600 rows" in checked.out) == (0, True)

    ran = assay("bench", WORKLOAD, *where, *TABLES, "--threads=2", "--time=1", "--json")

    assert ran.code == 0, ran.err
    figures = json.loads(ran.out)
    assert figures["queries"] == figures["reads"] + figures["writes"] + figures["other"] > 0
    assert figures["tps"] == pytest.approx(figures["events"] / figures["elapsed_s"])
    assert list(figures["service_ms"]) == TIMES
    assert figures["response_ms"] == figures["service_ms"]
    assert figures["connections"]["count"] == 2
    assert figures["engine"]["cpu_s"] > 0
    assert figures["engine"]["max_rss_bytes"] > 1_000_000
    assert set(figures["labels"]) >= {"point_select", "index_update", "commit"}
    assert "threads 2" in ran.err


def test_the_summary_reads_well(assay: Callable[..., Finished], where: list[str], tables: None) -> None:
    ran = assay("bench", WORKLOAD, *where, *TABLES, "--events", "50", "--time", "0", "--skip-trx")

    assert ran.code == 0, ran.err
    assert "point_select" in ran.out
    assert "commit" not in ran.out
    assert "µs per query" in ran.out
    assert "\x1b" not in ran.out


def test_sysbenchs_options_and_the_whole_record(
    assay: Callable[..., Finished], where: list[str], tables: None
) -> None:
    asked = ["--max-time=2s", "--rand-seed=7", "--percentile=42", "--histogram"]
    shown = assay("bench", WORKLOAD, *where, *TABLES, *asked)
    assert shown.code == 0, shown.err
    assert "p42 of latency" in shown.out
    assert "latency up to ms" in shown.out
    assert "1 connection, closed loop" in shown.out

    figures = json.loads(assay("bench", WORKLOAD, *where, *TABLES, *asked, "--json").out)
    assert figures["settings"]["seed"] == 7
    assert "MariaDB" in figures["server"]["version"]
    assert figures["server"]["address"] == where[1]
    assert datetime.fromisoformat(figures["started"]).tzinfo is not None
    assert [row["t_s"] for row in figures["series"]] == pytest.approx([1.0, 2.0], abs=0.2)
    assert sum(row["tps"] for row in figures["series"]) > 0
    assert (
        figures["response_ms"]["min"] <= figures["percentile"]["response_ms"] <= figures["response_ms"]["max"]
    )
    assert sum(one["count"] for one in figures["latency_distribution"]) == figures["events"]


def test_an_open_loop_tells_waiting_apart(
    assay: Callable[..., Finished], where: list[str], tables: None
) -> None:
    ran = assay("bench", WORKLOAD, *where, *TABLES, "--rate=50", "--threads=2", "--time=1", "--json")

    figures = json.loads(ran.out)
    assert figures["wait_ms"]["mean"] is not None
    assert figures["response_ms"]["mean"] >= figures["service_ms"]["mean"]


def test_a_second_prepare_is_refused(assay: Callable[..., Finished], where: list[str], tables: None) -> None:
    again = assay("bench", WORKLOAD, "prepare", *where, *TABLES)

    assert again.code == 4
    assert again.err.startswith("error: sbtest1 is there already\n")
    assert "cleanup" in again.err


def test_what_a_server_says_reaches_the_terminal_visibly(
    assay: Callable[..., Finished], mariadb: Instance, where: list[str], tables: None
) -> None:
    hostile = "\x1b]0;title\x07\x1b[2Jforged\n[bold]error: all is well[/]"
    with closing(mariadb.connect()) as connection, connection.cursor() as cursor:
        for number in (1, 2):
            cursor.execute(
                f"CREATE TRIGGER assay.refuse{number} BEFORE UPDATE ON assay.sbtest{number} FOR EACH ROW"
                f" SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = '{hostile}'"
            )
    ended = assay("bench", "oltp_update_index", *where, *TABLES, "--events=5", "--time=5")
    assert ended.code == 4
    assert "2Jforged\\x0a[bold]error: all is well[/]" in ended.err  # MariaDB itself spells the rest out
    assert not set("\x1b\x07") & set(ended.out + ended.err)


def test_ctrl_c_keeps_what_was_measured(
    start: Callable[..., Command], where: list[str], tables: None
) -> None:
    bench = start("bench", WORKLOAD, *where, *TABLES, "--time=600", "--json")
    assert bench.stderr is not None
    assert any("tps" in said for said in bench.stderr)  # warnings about the machine may stand before it
    bench.send_signal(signal.SIGINT)
    out, err = bench.communicate(timeout=PATIENCE_S)

    figures = json.loads(out)
    assert bench.returncode == 130
    assert (figures["complete"], figures["events"] > 0) == (False, True)
    assert "Interrupted" in err


def test_passwords_come_from_the_environment(
    assay: Callable[..., Finished], mariadb: Instance, where: list[str], tables: None
) -> None:
    with closing(mariadb.connect()) as connection, connection.cursor() as cursor:
        cursor.execute("CREATE OR REPLACE USER guest@localhost IDENTIFIED BY 'sesame'")
        cursor.execute("GRANT ALL ON assay.* TO guest@localhost")
    run = ["bench", WORKLOAD, *where, *TABLES, "--user=guest", "--events=5"]

    assert assay(*run, ASSAY_PASSWORD="sesame").code == 0
    assert assay(*run, MYSQL_PWD="sesame").code == 0
    wrong = assay(*run, ASSAY_PASSWORD="let-me-in")
    assert wrong.code == 3
    assert "1045" in wrong.err
    assert "let-me-in" not in wrong.err
    for name in ("$ASSAY_PASSWORD", "$MYSQL_PWD", "--ask-password"):
        assert name in wrong.err


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["oltp_readwrite"], 2, "oltp_read_write"),
        ([WORKLOAD, "--tabel-size=5"], 2, "--table-size"),
        ([WORKLOAD, "--threads=0"], 2, "--threads"),
        ([WORKLOAD, "--time=0"], 2, "--events"),
        ([WORKLOAD, "--tables=7"], 4, "run prepare first"),
        ([WORKLOAD, "--socket=/nowhere/x.sock"], 3, "check that the server is running"),
        ([WORKLOAD, "--db=nowhere"], 3, "Unknown database"),
    ],
)
def test_mistakes(
    assay: Callable[..., Finished], where: list[str], arguments: list[str], code: int, said: str
) -> None:
    workload, *options = arguments
    ended = assay("bench", workload, *where, *options)

    assert ended.code == code
    assert said in ended.err
    assert "Traceback" not in ended.err


def _holds_rows(cursor: Cursor) -> bool:
    cursor.execute("SELECT COUNT(*) FROM information_schema.tables WHERE table_name = 'sbtest1'")
    if cursor.fetchone() == (0,):
        return False
    cursor.execute("SELECT 1 FROM assay.sbtest1 LIMIT 1")
    return cursor.fetchone() is not None


def test_a_prepare_that_is_broken_off_says_what_is_there_and_how_to_go_on(
    start: Callable[..., Command],
    assay: Callable[..., Finished],
    mariadb: Instance,
    where: list[str],
) -> None:
    bench = start("bench", WORKLOAD, "prepare", *where, "--tables=1", "--table-size=30000000", "--threads=1")
    with closing(mariadb.connect()) as connection, connection.cursor() as cursor:
        # Its first transaction is there.
        while not _holds_rows(cursor):
            assert bench.poll() is None
            time.sleep(0.05)
    bench.send_signal(signal.SIGINT)
    _, err = bench.communicate(timeout=PATIENCE_S)
    assert bench.returncode == 130
    assert re.search(r"Interrupted: .* in the tables\. The same command with --resume continues", err), err

    other = assay("bench", WORKLOAD, "prepare", *where, "--tables=1", "--table-size=20", "--resume")
    assert (other.code, "a table_size other than 20" in other.err) == (2, True)
    assert assay("bench", WORKLOAD, "cleanup", *where, "--tables=1").code == 0


def test_tables_of_another_size_are_not_called_whole(
    assay: Callable[..., Finished], where: list[str], tables: None
) -> None:
    smaller = ["--tables=2", "--table-size=100"]
    checked = assay("bench", WORKLOAD, "check", *where, *smaller)
    assert "! sbtest1 holds 300 rows" in checked.out
    assert "whole" not in checked.out
    told = json.loads(assay("bench", WORKLOAD, "check", *where, *smaller, "--json").out)
    assert {doubt["kind"] for doubt in told["doubts"]} == {"row-count"}

    larger = assay("bench", WORKLOAD, *where, "--tables=2", "--table-size=3000000", "--time=1")
    assert (larger.code, "go up to id 300" in larger.err) == (2, True)


@pytest.mark.long
def test_arrivals_that_are_dropped_are_a_doubt(
    assay: Callable[..., Finished], where: list[str], tables: None
) -> None:
    rate = ["--rate=400000", "--threads=1", "--time=1"]
    ran = assay("bench", "oltp_point_select", *where, *TABLES, *rate, "--json")
    figures = json.loads(ran.out)
    assert figures["dropped"] > 0
    assert "dropped" in {doubt["kind"] for doubt in figures["doubts"]}
    assert figures["labels"]["point_select"]["count"] == figures["queries"]
