"""A server that is killed in the middle of TPC-C: what it has acknowledged is there when it comes back."""

from __future__ import annotations

import json
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from assay.system.server import Build, Instance
from forked import Command
from live_command import PATIENCE_S, Finished, wait_for

pytestmark = pytest.mark.live

Assay = Callable[..., Finished]
SETTINGS: dict[str, str | int | float | bool] = {
    "innodb_buffer_pool_size": "128M",
    "innodb_flush_log_at_trx_commit": 1,
}


@pytest.fixture
def instance(mariadb_build: Build, fresh_data: Path, assay_home: Path, tmp_path: Path) -> Iterator[Instance]:
    """A MariaDB of this test alone, which may be killed and started again on its data."""
    data = assay_home / "killed-data"
    shutil.copytree(fresh_data, data)
    server = Instance(mariadb_build, data, SETTINGS, tmp_path / "server.log", tmp_path / "my.cnf")
    server.start()
    yield server
    server.stop()
    shutil.rmtree(data)


def entries(ledger: Path) -> list[str]:
    lines = ledger.read_text().splitlines()
    assert lines[0] == "# new_order o_w_id o_d_id o_id"
    return lines[1:]


@pytest.mark.long
def test_no_acknowledged_order_is_lost_by_a_kill(
    instance: Instance, assay: Assay, start: Callable[..., Command], tmp_path: Path
) -> None:
    ledger = tmp_path / "orders.ledger"

    def where() -> list[str]:
        return ["--socket", str(instance.socket), "--db", "assay"]

    made = assay("bench", "tpcc", "prepare", *where(), "--threads=4")
    assert made.code == 0, made.err
    load = start("bench", "tpcc", *where(), "--threads=32", "--time=600", "--ledger", str(ledger))
    wait_for(lambda: ledger.is_file() and len(ledger.read_text().splitlines()) > 200)
    os.kill(instance.pid, signal.SIGKILL)
    out, err = load.communicate(timeout=PATIENCE_S)
    assert load.returncode == 5, out + err  # the server went away
    instance.stop()
    instance.start()

    promised = entries(ledger)
    assert len(promised) == len(set(promised)) >= 200  # the first line is a heading
    checked = assay("bench", "tpcc", "check", *where(), "--ledger", str(ledger), "--json")
    assert checked.code == 0, checked.err
    found = {check["name"]: check["violations"] for check in json.loads(checked.out)["checks"]}
    assert found.pop("ledger-new-order") == 0
    again = assay("bench", "tpcc", *where(), "--time=1", "--ledger", str(ledger))
    assert (again.code, "exists already" in again.err) == (2, True)
    assert entries(ledger) == promised
    assert len(found) >= 12
    assert set(found.values()) == {0}

    warehouse, district, order = promised[-1].split()[1:]
    with closing(instance.connect()) as connection, connection.cursor() as cursor:
        cursor.execute(
            f"DELETE FROM assay.orders WHERE o_w_id = {warehouse} AND o_d_id = {district} AND o_id = {order}"
        )
        assert cursor.rowcount == 1
        connection.commit()
    lost = assay("bench", "tpcc", "check", *where(), "--ledger", str(ledger))
    assert lost.code == 4
    said = "every New-Order whose commit was acknowledged is in orders"
    assert f"BROKEN  ledger-new-order: {said} ({len(promised)} entries)" in lost.out
    assert "conditions of the tables are broken" in lost.err  # the order's absence breaks others as well
    assert (
        f"o_w_id = {warehouse}, o_d_id = {district}, o_id = {order}"
        in lost.out.partition("BROKEN  ledger")[2]
    )


def test_what_is_no_ledger_is_refused(assay: Assay, mariadb: Instance, tmp_path: Path) -> None:
    where = ["--socket", str(mariadb.socket), "--db", "assay"]
    made = assay("bench", "tpcc", "prepare", *where, "--threads=4", "--ledger", str(tmp_path / "x"))
    assert (made.code, "--ledger needs the action run" in made.err) == (2, True)
    sought = assay("bench", "tpcc", *where, "--find-rate", "--p99=10ms", "--ledger", str(tmp_path / "x"))
    assert (sought.code, "start the ledger anew" in sought.err) == (2, True)
    strange = tmp_path / "strange"
    strange.write_text("# new_order o_w_id o_d_id o_id\nnew_order 1 2 3001\npayment 1 2 3\n")
    options = ["--dialect=tpcc-mysql", "--warehouses=1"]  # which needs no notes to begin
    refused = assay("bench", "tpcc", "check", *where, *options, "--ledger", str(strange))
    assert refused.code == 2
    assert "strange, line 3" in refused.err
    assert "a line begins with new_order" in refused.err
    strange.write_text("")
    nothing = assay("bench", "tpcc", "check", *where, *options, "--ledger", str(strange))
    assert (nothing.code, "is not a ledger of tpcc" in nothing.err) == (2, True)
    nowhere = assay("bench", "oltp_read_write", *where, "--ledger", str(strange))
    assert (nowhere.code, "--ledger" in nowhere.err) == (2, True)
