"""When is a server warm?"""

from __future__ import annotations

from contextlib import closing

import pytest
from assay.measurement.run.experiments.buffer_pool_warmup import curve, reading
from assay.system.server import Instance


def test_the_last_second_below_95_percent_ends_the_warm_up() -> None:
    measured = curve([10, 20, 50, 90, 94, 100, 100, 101, 99, 100, 100, 100])
    assert measured["steady_tps"] == pytest.approx(100)
    assert measured["first_second_pct"] == pytest.approx(10)
    assert measured["warm_s"] == 5


def test_a_warm_server_is_warm_at_once() -> None:
    assert curve([100] * 12)["warm_s"] == 0


def test_one_bad_second_of_the_machine_is_no_warm_up() -> None:
    assert curve([100, 100, 100, 30, 100, 100, 100, 100, 100, 100])["warm_s"] == 0


def test_too_short_a_series_says_nothing() -> None:
    assert curve([1, 2, 3]) == {}
    assert curve([0.0] * 12) == {}


@pytest.mark.live
@pytest.mark.parametrize("key", ["PRIMARY KEY (a), KEY b (b)", "KEY b (b)", "UNIQUE KEY a (a)"])
def test_tables_of_any_workload_can_be_read(mariadb: Instance, key: str) -> None:
    with closing(mariadb.connect()) as connection, connection.cursor() as cursor:
        cursor.execute("CREATE DATABASE any_tables")
        try:
            cursor.execute(f"CREATE TABLE any_tables.t (a INT NOT NULL, b DATETIME, d DECIMAL(4, 2), {key})")
            cursor.execute("INSERT INTO any_tables.t VALUES (1, NOW(), 2.5), (2, NULL, 3.5)")
            cursor.execute("USE any_tables")
            cursor.execute("SHOW INDEX FROM t")
            rows, *indexes = reading("t", ["a", "b", "d"], {row[2] for row in cursor.fetchall()})
            for statement in (rows, *indexes):
                cursor.execute(statement)
                row = cursor.fetchone()
                assert row is not None
                assert row[0] == 2
            assert len(indexes) == 1
            cursor.execute(f"EXPLAIN {rows}")
            plan = cursor.fetchone()
            assert plan is not None
            assert plan[3] == "ALL"  # the rows themselves, not an index
        finally:
            cursor.execute("DROP DATABASE any_tables")
