"""`assay bench tpcc` on a real server: tables of one warehouse, made once for this file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing

import pytest
from assay.server import Instance
from live_command import Finished

pytestmark = pytest.mark.live

Assay = Callable[..., Finished]


@pytest.fixture
def where(mariadb: Instance) -> list[str]:
    return ["--socket", str(mariadb.socket), "--db", "assay"]


@pytest.fixture
def tables(assay: Assay, where: list[str]) -> Iterator[None]:
    made = assay("bench", "tpcc", "prepare", *where, "--threads=4")
    assert made.code == 0, made.err
    yield
    assert assay("bench", "tpcc", "cleanup", *where).code == 0


def test_a_run_leaves_the_tables_consistent_and_a_broken_row_is_named(
    assay: Assay, where: list[str], mariadb: Instance, tables: None
) -> None:
    ran = assay("bench", "tpcc", *where, "--threads=8", "--time=3", "--json")
    assert ran.code == 0, ran.err
    found = json.loads(ran.out)
    orders = found["counters"]["orders"]
    assert found["kinds"]["new_order"]["count"] == orders > 0
    assert sum(kind["count"] for kind in found["kinds"].values()) == found["events"]
    assert found["tpcc"]["tpmc"] <= orders * 60 / found["elapsed_s"]
    assert found["facts"]["warehouses"] == "1"

    checked = assay("bench", "tpcc", "check", *where, "--json")
    assert checked.code == 0, checked.err
    checks = json.loads(checked.out)["checks"]
    assert {f"consistency-{number}" for number in range(1, 13)} <= {check["name"] for check in checks}
    assert all(check["violations"] == 0 for check in checks)

    with closing(mariadb.connect()) as connection, connection.cursor() as cursor:
        cursor.execute("UPDATE assay.customer SET c_balance = c_balance + 1 WHERE c_d_id = 4 AND c_id = 77")
        connection.commit()
    broken = assay("bench", "tpcc", "check", *where)
    assert broken.code == 4
    assert "BROKEN  consistency-10" in broken.out
    assert "c_d_id = 4, c_id = 77" in broken.out


def test_tables_of_another_dialect_are_refused(assay: Assay, where: list[str], tables: None) -> None:
    refused = assay("bench", "tpcc", *where, "--dialect=tpcc-mysql")
    assert refused.code == 2
    assert "the tables were made with dialect = spec" in refused.err
    more = assay("bench", "tpcc", *where, "--warehouses=3")
    assert (more.code, "1 were loaded" in more.err) == (2, True)


def test_a_run_without_tables_says_what_to_do(assay: Assay, where: list[str]) -> None:
    refused = assay("bench", "tpcc", *where)
    assert refused.code == 4
    assert "run prepare" in refused.err


def test_the_text_of_the_tool_wants_the_number_of_warehouses(assay: Assay, where: list[str]) -> None:
    refused = assay("bench", "tpcc", *where, "--output=tpcc-mysql")
    assert (refused.code, "add --warehouses" in refused.err) == (2, True)
