"""`assay bench` with YCSB, TATP and SmallBank on a real server: made, measured, checked, dropped."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from assay.server import Instance
from live_command import Finished

pytestmark = pytest.mark.live

Assay = Callable[..., Finished]


@pytest.mark.parametrize("ps_mode", ["auto", "disable"])
@pytest.mark.parametrize(
    ("name", "shape", "kind", "counter"),
    [
        ("ycsb", ["--recordcount=2000"], "update", "records_found"),
        ("tatp", ["--subscribers=2000"], "get_access_data", "qualified"),
        ("smallbank", ["--accounts=2000", "--ledger=on", "--min-balance=0"], "amalgamate", "overdrawn"),
    ],
)
def test_a_workload_is_made_measured_checked_and_dropped(
    assay: Assay, mariadb: Instance, name: str, shape: list[str], kind: str, counter: str, ps_mode: str
) -> None:
    where = ["--socket", str(mariadb.socket), "--db", "assay", *shape]
    made = assay("bench", name, "prepare", *where)
    assert made.code == 0, made.err
    try:
        ran = assay("bench", name, *where, "--threads=8", "--time=2", f"--ps-mode={ps_mode}", "--json")
        assert ran.code == 0, ran.err
        found = json.loads(ran.out)
        assert (found["errors"], found["failed"]) == (0, 0)
        assert sum(of_kind["count"] for of_kind in found["kinds"].values()) == found["events"]
        assert found["kinds"][kind]["count"] > 0
        assert found["counters"][counter] > 0

        shown = assay("bench", name, *where, "--threads=8", "--time=1", f"--ps-mode={ps_mode}")
        assert shown.code == 0, shown.err
        first_words = [line.split()[0] for line in shown.out.splitlines() if line.strip()]
        assert {kind, "counters", counter} <= set(first_words)

        checked = assay("bench", name, "check", *where)
        assert checked.code == 0, checked.err
    finally:
        # Whatever the tables were made with.
        dropped = assay("bench", name, "cleanup", "--socket", str(mariadb.socket), "--db", "assay")
    assert dropped.code == 0, dropped.err
    with mariadb.connect() as connection, connection.cursor() as cursor:
        cursor.execute("SHOW TABLES FROM assay")
        assert list(cursor.fetchall()) == []


def test_tables_of_another_size_are_refused_without_figures(assay: Assay, mariadb: Instance) -> None:
    where = ["--socket", str(mariadb.socket), "--db", "assay"]
    assert assay("bench", "tatp", "prepare", *where, "--subscribers=1000").code == 0
    try:
        ran = assay("bench", "tatp", *where, "--subscribers=100000", "--threads=2", "--time=5")
        assert ran.code == 4, ran.out + ran.err
        assert "service ms" not in ran.out
        assert "give subscribers as in prepare" in ran.err
        checked = assay("bench", "tatp", "check", *where, "--subscribers=2000")
        assert checked.code == 4
        assert "BROKEN  subscribers-filled" in checked.out
        assert "n = 1000, first = 1, last = 1000, asked = 2000" in checked.out
    finally:
        assert assay("bench", "tatp", "cleanup", *where).code == 0
