"""Trial of statements: names that the tables of a dump lack are refused before any load, and no others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from assay.base.errors import ServerError
from assay.design.plan import OwnData, Script, Treatment
from assay.measurement.source.dataset import Loading
from assay.measurement.source.trial_statements import asks_for_statements, try_statements
from assay.system.engine.interrupts import Interrupts
from assay.system.server import Instance
from assay.testing.builders import treatment

pytestmark = pytest.mark.live

DUMP = """
CREATE TABLE orders (id INT PRIMARY KEY, total INT);
CREATE TABLE `Order Lines` (id INT PRIMARY KEY);
CREATE VIEW big AS SELECT id FROM orders WHERE total > 9;
CREATE PROCEDURE p() SELECT 1 FROM not_yet;
INSERT INTO orders VALUES (1, 2);
"""
NUMBERS = iter(range(10**6))

Try = Callable[..., Treatment]


@pytest.fixture
def tried(mariadb: Instance, tmp_path: Path) -> Iterator[Try]:
    made = []

    def attempt(statements: str, dump: str = DUMP, **given: str) -> Treatment:
        made.append(f"tried_{next(NUMBERS)}")
        path = tmp_path / "shop.sql"
        path.write_text(dump)
        own = OwnData(f"dump:{path}", str(path), "", made[-1])
        interrupts = Interrupts()
        done, _ = Loading(mariadb.build, own, interrupts).carry_out(mariadb, structure_only=True)
        script = Script(f"{statements}\n", {}, threads=1)
        one = treatment(workload="sql:q.sql", script=script, own_data=own, **given)
        try_statements(mariadb.build, made[-1], one, mariadb, done, interrupts)
        return one

    yield attempt
    with closing(mariadb.connect()) as connection, connection.cursor() as cursor:
        for database in made:
            cursor.execute(f"DROP DATABASE IF EXISTS {database}")


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT total FROM orders WHERE id = :i;  -- @let i = column(orders.id)",
        "SELECT id FROM `Order Lines`;",
        "SELECT id FROM big;",
        "WITH cheap AS (SELECT id FROM orders) SELECT id FROM cheap;",
        "SELECT id FROM (SELECT id FROM orders) inside;",
        "SELECT table_name FROM information_schema.tables LIMIT 1;",
        "SELECT user FROM mysql.user;",
        "CREATE TEMPORARY TABLE IF NOT EXISTS mine (id INT);",
        "CALL p();",
    ],
)
def test_what_is_there_is_not_refused(statement: str, tried: Try, mariadb: Instance) -> None:
    one = tried(statement)
    assert one.own_data is not None
    assert not asks_for_statements(mariadb.build, one.own_data.database or "", one), "it is asked once"


@pytest.mark.parametrize(
    ("statement", "words", "hint"),
    [
        ("SELECT 1;\nSELECT id FROM ordrs;", r"q\.sql:2:1: .*ordrs", "nearest table is orders"),
        ("SELECT id FROM Orders;", r"q\.sql:1:1: .*Orders", "nearest table is orders"),
        ("SELECT totl FROM orders;", r"q\.sql:1:1: .*totl", "nearest column is orders.total"),
        ("SELECT id FROM gone.orders;", r"q\.sql:1:1: .*gone", None),
        (
            "SELECT id FROM orders WHERE id = :i;  -- @let i = column(ordrs.id)",
            r"q\.sql:1:39: .*ordrs",
            "nearest table is orders",
        ),
        ("SELECT 1 FROM ordrs;\nSELECT 1;\nSELECT 2 FROM ordrs;", r"1 statement more: q\.sql:3:1", "orders"),
    ],
)
def test_what_is_not_there_is_named_with_the_nearest(
    statement: str, words: str, hint: str | None, tried: Try
) -> None:
    with pytest.raises(ServerError, match=words) as told:
        tried(statement)
    assert hint is None or hint in str(told.value.hint)


def test_nothing_is_said_where_the_tables_are_not_all_known(tried: Try) -> None:
    makes = "CREATE PROCEDURE make() CREATE TABLE made (id INT);\nCALL make();\n"
    tried("SELECT id FROM made;", DUMP + makes)


def test_a_load_that_prepares_nothing_may_make_tables_itself(tried: Try) -> None:
    tried("CREATE TEMPORARY TABLE IF NOT EXISTS mine (id INT);\nSELECT id FROM mine;", ps_mode="disable")
