"""When a buffer pool is full: a server that keeps some pages free never has none."""

from __future__ import annotations

import duckdb
import pytest
from assay.design.study.claims import Window
from assay.results.verdict.courses import courses

FREE = (4000.0, 2500.0, 1000.0, 990.0, 0.0, 980.0)


@pytest.fixture
def store() -> duckdb.DuckDBPyConnection:
    made = duckdb.connect()
    made.execute(
        "CREATE TABLE intervals (treatment TEXT, load DOUBLE, block INT, phase TEXT, t_s DOUBLE,"
        " seconds DOUBLE, tps DOUBLE)"
    )
    made.execute(
        "CREATE TABLE rates (run_id TEXT, treatment TEXT, load DOUBLE, block INT, source TEXT,"
        " name TEXT, t_s DOUBLE, value DOUBLE)"
    )
    made.execute("CREATE TABLE moments (treatment TEXT, load DOUBLE, block INT, name TEXT, t_s DOUBLE)")
    made.execute("CREATE TABLE facts (run_id TEXT, scope TEXT, moment TEXT, key TEXT, value TEXT)")
    for second, free in enumerate(FREE):
        made.execute("INSERT INTO intervals VALUES ('t', 1, 1, 'measure', ?, 1, ?)", [second, 10.0 * second])
        made.execute(
            "INSERT INTO rates VALUES ('r', 't', 1, 1, 'status', 'Innodb_buffer_pool_pages_free', ?, ?)",
            [second, free],
        )
    return made


def keeps(store: duckdb.DuckDBPyConnection, **variables: int) -> None:
    for name, value in variables.items():
        store.execute(
            "INSERT INTO facts VALUES ('r', 'server', 'before', ?, ?)", [f"variables.{name}", str(value)]
        )


@pytest.mark.parametrize(
    ("variables", "second"),
    [
        ({}, 4),
        ({"innodb_lru_scan_depth": 1024}, 2),
        ({"innodb_lru_scan_depth": 1300, "innodb_buffer_pool_instances": 2}, 1),
        ({"innodb_buffer_pool_instances": 8}, 4),
    ],
)
def test_the_pool_is_full(store: duckdb.DuckDBPyConnection, variables: dict[str, int], second: int) -> None:
    keeps(store, **variables)
    course = courses(store)("tps")["t", 1.0][1]
    assert course.moments["full_pool"] == second
    after = course.part(Window("after", "full_pool"))
    assert after is not None
    assert after.begin_s[0] == second
