"""`assay bench tpcc` on a real server: tables of one warehouse, made once for this file."""

from __future__ import annotations

import csv
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from assay.system.server import Instance
from forked import run
from live_command import PATIENCE_S, Finished

pytestmark = pytest.mark.live

Assay = Callable[..., Finished]


@pytest.fixture
def where(mariadb: Instance) -> list[str]:
    return ["--socket", str(mariadb.socket), "--db", "assay"]


def test_a_run_without_tables_says_what_to_do(assay: Assay, where: list[str]) -> None:
    refused = assay("bench", "tpcc", *where)
    assert refused.code == 4
    assert "run prepare" in refused.err


@pytest.fixture(scope="module")
def tables(mariadb: Instance) -> Iterator[None]:
    """Whole tables, which every test leaves whole: they take long to load."""
    where = ["--socket", str(mariadb.socket), "--db", "assay"]
    made = run("bench", "tpcc", "prepare", *where, "--threads=4", timeout=3 * PATIENCE_S)
    assert made.returncode == 0, made.stderr
    yield
    assert run("bench", "tpcc", "cleanup", *where).returncode == 0


def delivered_orders(server: Instance) -> set[tuple[int, int]]:
    """District and number of each order that was loaded without a carrier, or later, and has one."""
    with closing(server.connect()) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT o_d_id, o_id FROM assay.orders WHERE o_id > 2100 AND o_carrier_id IS NOT NULL")
        return {(int(district), int(order)) for district, order in cursor.fetchall()}


def transactions(found: dict[str, Any]) -> list[dict[str, Any]]:
    """The kinds that are transactions of their own: not the work that they left for later."""
    return [kind for name, kind in found["kinds"].items() if name != "delivery_deferred"]


@pytest.mark.long
def test_a_run_leaves_the_tables_consistent_and_a_broken_row_is_named(
    assay: Assay, where: list[str], mariadb: Instance, tables: None
) -> None:
    ran = assay("bench", "tpcc", *where, "--threads=8", "--time=0", "--events=600", "--json")
    assert ran.code == 0, ran.err
    found = json.loads(ran.out)
    orders = found["counters"]["orders"]
    assert found["kinds"]["new_order"]["count"] == orders > 0
    assert sum(kind["count"] for kind in transactions(found)) == found["events"]
    assert found["tpcc"]["tpmc"] <= orders * 60 / found["elapsed_s"]
    assert found["facts"]["warehouses"] == "1"

    checked = assay("bench", "tpcc", "check", *where, "--json")
    assert checked.code == 0, checked.err
    checks = json.loads(checked.out)["checks"]
    assert {f"consistency-{number}" for number in range(1, 13)} <= {check["name"] for check in checks}
    assert all(check["violations"] == 0 for check in checks)

    with closing(mariadb.connect()) as connection, connection.cursor() as cursor:
        one = "WHERE c_d_id = 4 AND c_id = 77"
        cursor.execute(f"UPDATE assay.customer SET c_balance = c_balance + 1 {one}")
        connection.commit()
        broken = assay("bench", "tpcc", "check", *where)
        cursor.execute(f"UPDATE assay.customer SET c_balance = c_balance - 1 {one}")
        connection.commit()
    assert broken.code == 4
    assert "BROKEN  consistency-10" in broken.out
    assert "c_d_id = 4, c_id = 77" in broken.out


def test_tables_of_another_dialect_are_refused(assay: Assay, where: list[str], tables: None) -> None:
    refused = assay("bench", "tpcc", *where, "--dialect=tpcc-mysql")
    assert refused.code == 2
    assert "the tables were made with dialect = spec" in refused.err
    more = assay("bench", "tpcc", *where, "--warehouses=3")
    assert (more.code, "1 were loaded" in more.err) == (2, True)


def test_the_text_of_the_tool_wants_the_number_of_warehouses(assay: Assay, where: list[str]) -> None:
    refused = assay("bench", "tpcc", *where, "--output=tpcc-mysql")
    assert (refused.code, "add --warehouses" in refused.err) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--rt-unit=ms"], "--rt-unit needs --output tpcc-mysql"),
        (
            ["--output=tpcc-mysql", "--warehouses=1", "--histograms"],
            "cannot be combined with --histograms",
        ),
    ],
)
def test_what_goes_with_the_text_of_the_tool(
    assay: Assay, where: list[str], arguments: list[str], complaint: str
) -> None:
    refused = assay("bench", "tpcc", *where, *arguments)
    assert (refused.code, complaint in refused.err) == (2, True)


@pytest.mark.long
def test_terminals_share_connections_and_queued_deliveries_are_done(
    assay: Assay, where: list[str], mariadb: Instance, tables: None, tmp_path: Path
) -> None:
    log = tmp_path / "deliveries.csv"
    before = delivered_orders(mariadb)
    many = ["--terminals=100", "--threads=8"]
    ran = assay("bench", "tpcc", *where, *many, "--time=2", f"--delivery-log={log}", "--json")
    assert ran.code == 0, ran.err
    found = json.loads(ran.out)
    assert (found["connections"]["count"], found["terminals"]["count"]) == (8, 100)
    assert sum(kind["count"] for kind in transactions(found)) == found["events"] > 0
    # Without a pause most of the hundred wait for one of the eight.
    assert found["wait_ms"]["mean"] > 2 * found["service_ms"]["mean"]
    assert sum(found["tpcc"]["response_histograms"]["new_order"]["counts"]) > 0
    assert found["tpcc"]["over_time"]

    deferred = found["deferred"]
    assert deferred["queued"] > 0
    assert (deferred["completed"], deferred["unfinished"], deferred["failed"]) == (deferred["queued"], 0, 0)
    with log.open() as lines:
        records = list(csv.DictReader(lines))
    assert len(records) == deferred["completed"]
    delivered = {
        (district, int(record[f"order_{district}"])) for record in records for district in range(1, 11)
    }
    assert len(delivered) == 10 * len(records), "no order twice"
    assert all(float(record["queued_s"]) <= float(record["completed_s"]) for record in records)
    assert delivered_orders(mariadb) - before == delivered

    # Paced: few are due at once, so that eight connections are enough. A hundred are not ten for a warehouse.
    ran = assay("bench", "tpcc", *where, *many, "--pacing=spec", "--time=4", "--json")
    assert ran.code == 0, ran.err
    paced = json.loads(ran.out)
    assert paced["terminals"]["count"] == 100
    assert 0 < paced["events"] <= 100
    assert {"terminals"} <= {doubt["kind"] for doubt in paced["doubts"]}
    assert paced["wait_ms"]["mean"] < found["wait_ms"]["mean"]
    checked = assay("bench", "tpcc", "check", *where)
    assert checked.code == 0, checked.out


@pytest.mark.long
def test_tries_that_failed_are_rolled_back_and_timed_apart(
    assay: Assay, where: list[str], mariadb: Instance, tables: None
) -> None:
    """Somebody holds the warehouse's row until the first try has waited for it in vain."""

    def number(cursor: Any, statement: str) -> int:
        cursor.execute(statement)
        return int(cursor.fetchone()[1])

    rollbacks = "SHOW GLOBAL STATUS LIKE 'Com_rollback'"
    with (
        closing(mariadb.connect()) as holder,
        closing(mariadb.connect()) as watcher,
        holder.cursor() as held,
        watcher.cursor() as watched,
    ):
        before = number(watched, "SHOW GLOBAL VARIABLES LIKE 'innodb_lock_wait_timeout'")
        watched.execute("SET GLOBAL innodb_lock_wait_timeout = 1")
        held.execute("BEGIN")
        held.execute("SELECT w_ytd FROM assay.warehouse WHERE w_id = 1 FOR UPDATE")

        def let_go() -> None:
            start, patience = number(watched, rollbacks), time.monotonic() + 60
            while number(watched, rollbacks) < start + 2 and time.monotonic() < patience:
                time.sleep(0.05)
            holder.rollback()

        letting_go = threading.Thread(target=let_go)
        letting_go.start()
        ran = assay("bench", "tpcc", *where, "--threads=4", "--time=3", "--json")
        letting_go.join()
        watched.execute(f"SET GLOBAL innodb_lock_wait_timeout = {before}")
    assert ran.code == 0, ran.err
    found = json.loads(ran.out)
    late = {name: kind for name, kind in found["kinds"].items() if "1205" in kind["errors_by_code"]}
    assert late, found["kinds"]
    for name, kind in late.items():
        retry = kind["retry"]
        assert retry["tries"] == sum(kind["errors_by_code"].values()) == kind["retries"], name
        # A deadlock among them takes no time, and counts as a try.
        assert retry["mean_ms"] * retry["tries"] > 900 * kind["errors_by_code"]["1205"], "a second each"
        assert retry["given_up_ms"] == 0
        of_all = retry["total_ms"] / kind["count"]
        assert kind["service_ms"]["mean"] == pytest.approx(retry["last_try_mean_ms"] + of_all, rel=0.01)
    checked = assay("bench", "tpcc", "check", *where)
    assert checked.code == 0, checked.out


def test_deliveries_at_once_are_no_work_for_later(
    assay: Assay, where: list[str], tables: None, tmp_path: Path
) -> None:
    inline = [*where, "--delivery-mode=inline", "--threads=4", "--time=0", "--events=200"]
    ran = assay("bench", "tpcc", *inline, "--json")
    assert ran.code == 0, ran.err
    found = json.loads(ran.out)
    assert "deferred" not in found
    assert "wait_ms" not in found, "each connection is a terminal"
    assert "delivery_deferred" not in found["kinds"]
    refused = assay("bench", "tpcc", *inline, f"--delivery-log={tmp_path / 'none.csv'}")
    assert (refused.code, "defers no work" in refused.err) == (2, True)
