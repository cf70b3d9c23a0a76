"""The first file of statements: what logs, queries, digests and tables become. The engine reads each file
that is made, as a load would.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from assay.base.errors import InputError
from first_files import CUSTOMER, HERE, SCHEMA, body, made, of_text


@pytest.mark.parametrize(
    ("log", "form", "lines", "left_out"),
    [
        (
            "mysql-8.0-slow.log",
            "slow log",
            [
                "-- @transaction select_products weight=1",
                "-- @let slug = column(categories.slug)",
                "-- @let (price, price_2) = csv(seen/own-select_products.csv: price, price_2)",
                "SELECT p.name, p.price FROM products p",
                "JOIN categories k ON k.id = p.category",
                "WHERE k.slug = :slug AND p.price BETWEEN :price AND :price_2",
                "ORDER BY 2 LIMIT 20;",
                "-- @end",
                "-- @transaction select_customers weight=1",
                "-- @let customers_id = column(customers.id)",
                "SELECT c.credit FROM customers AS c WHERE c.id = :customers_id;",
                "-- @end",
            ],
            {"failed, as the log says": 1},
        ),
        (
            "percona-5.7-slow.log",
            "slow log",
            ["-- @transaction select_customers weight=1", *CUSTOMER, "-- @end"],
            {},
        ),
        (
            "mysql-5.5-slow.log",
            "slow log",
            ["-- @transaction select_customers weight=1", *CUSTOMER, "-- @end"],
            {"BEGIN and COMMIT of unknown sessions": 1},
        ),
        (
            "mysql-5.6-general.log",
            "general log",
            [
                "-- @transaction tx_update_customers weight=1",
                "-- @let customers_id = column(customers.id)",
                "BEGIN;",
                "SELECT credit FROM customers WHERE id = :customers_id FOR UPDATE;",
                "UPDATE customers SET credit = credit - 5 WHERE id = :customers_id;",
                "COMMIT;",
                "-- @end",
            ],
            {"SHOW": 1, "in database other": 1},
        ),
    ],
)
def test_logs_of_each_server_become_statements(
    log: str, form: str, lines: list[str], left_out: dict[str, int]
) -> None:
    found = made(HERE / "logs" / log)
    assert found.form == form
    assert body(found) == lines
    assert found.left_out == left_out


def test_a_transaction_keeps_what_its_statements_share() -> None:
    """Logs that MariaDB has written: four orders, each of a customer."""
    slow, general = (
        made(HERE / "logs" / f"mariadb-{kind}.log", schema=SCHEMA) for kind in ("slow", "general")
    )
    expected = [
        "-- @transaction tx_insert_orders weight=4",
        "-- @let customers_id = column(customers.id)",
        "-- @let note = text(13..14)",
        "-- @let product = csv(seen/own-tx_insert_orders.csv: product)",
        "BEGIN;",
        "SELECT credit FROM customers WHERE id = :customers_id FOR UPDATE;",
        "INSERT INTO orders (customer_id, at, note) VALUES (:customers_id, NOW(6), :note);",
        "-- @save new_orders = insert_id",
        "INSERT INTO order_lines VALUES (:new_orders, 1, :product);",
        "UPDATE customers SET credit = credit - 1.50 WHERE id = :customers_id;",
        "COMMIT;",
        "-- @end",
    ]
    for found in (slow, general):
        lines = body(found)
        start = lines.index(expected[0])
        assert lines[start : start + len(expected)] == expected
    assert set(slow.pages.files) == set(general.pages.files)


MANY = "".join(
    f"SELECT a, b FROM t WHERE a = {n % 7} AND b = 'x{n % 7}' LIMIT {n % 2 + 1};\n" for n in range(70)
)


def test_values_that_were_seen_together_are_drawn_together(tmp_path: Path) -> None:
    found = of_text(tmp_path, MANY)
    assert body(found)[1:3] == [
        "-- @let limit = pick(1: 35, 2: 35)",
        "-- @let (a, b) = csv(seen/own-select_t.csv: a, b)",
    ]
    head, *rows = found.pages.files["seen/own-select_t.csv"].splitlines()
    assert head == "a,b"
    assert sorted(set(rows)) == [f"{n},x{n}" for n in range(7)]
    assert len(rows) == found.values == 70
    assert of_text(tmp_path, MANY).pages == found.pages
    without = of_text(tmp_path, MANY, with_values=False)
    assert not without.pages.files
    assert "x3" not in without.pages.text
    assert "-- @let (a, b) = row(t: a, b)" in body(without)


@pytest.mark.parametrize(
    ("queries", "expected"),
    [
        # Aliases, other databases' names in front, lists, rows, spans.
        (
            "USE shop; SELECT x.c FROM shop.t x WHERE x.id IN (1,2,3) OR x.d NOT IN ('a')",
            ["-- @let t_id = column(t.id) -- @let d = column(t.d) SELECT x.c FROM t x"],
        ),
        (
            "SELECT c FROM t WHERE id BETWEEN 5 AND 104",
            ["SELECT c FROM t WHERE id BETWEEN :t_id AND :t_id + 99;"],
        ),
        (
            "SELECT c FROM t WHERE (a, b) IN ((1, 2), (3, 4))",
            ["WHERE (a, b) IN ((:a, :b), (:a_row2, :b_row2));"],
        ),
        ("SELECT COUNT ( * ) FROM t WHERE a IN ( 1 )", ["SELECT COUNT(*) FROM t WHERE a IN (:a);"]),
        ("INSERT INTO t (a) SELECT x FROM u WHERE z = 3", ["-- @let z = column(u.z)"]),
        # What no parameter can say stays.
        (
            "SELECT CAST(c AS CHAR(3)), j->'$.a' FROM t ORDER BY 1",
            ["SELECT CAST(c AS CHAR(3)), j->'$.a' FROM t ORDER BY 1;"],
        ),
        # Literals of each kind.
        ("UPDATE t SET a = -1.5e3, b = NULL WHERE c = x'00ff'", ["SET a = -1.5e3, b = NULL WHERE c = :c;"]),
        (
            "SELECT a FROM t WHERE b > DATE '2026-01-31' - INTERVAL 7 DAY",
            ["WHERE b > '2026-01-31' - INTERVAL 7 DAY;"],
        ),
        (r"SELECT a FROM t WHERE LOWER(b) = 'it''s \"\\'", [r"""WHERE LOWER(b) = 'it''s "\\';"""]),
        # A number that is compared with a text is compared in another way than a text is.
        *[
            (
                "".join(f"SELECT id FROM customers WHERE phone = {n};" for n in range(40)),
                ["phone = (:phone + 0);"],
            )
        ],
        *[
            (
                "".join(f"SELECT id FROM customers WHERE token = 0x{n:032x};" for n in range(40)),
                ["token = UNHEX(:token);"],
            )
        ],
        # New rows: keys count up, what refers is drawn from there, the rest by its type.
        (
            "INSERT INTO orders (id, customer_id, at, note) VALUES (9, 4, '2026-01-31', 'ab')",
            ["-- @let orders_id = seq(orders.id)", "-- @let customer_id = column(customers.id)"],
        ),
        (
            "BEGIN; SELECT 1 FROM t WHERE a = 1; SELECT 2; SELECT 1 FROM t WHERE a = 2; SELECT 2; COMMIT",
            ["-- @repeat 2..2"],
        ),
    ],
    ids=lambda value: None if isinstance(value, list) else value[:40],
)
def test_values_become_draws(queries: str, expected: list[str], tmp_path: Path) -> None:
    found = of_text(tmp_path, queries, schema=SCHEMA)
    for line in expected:
        assert any(line in one for one in " ".join(body(found)).split("-- @end")), body(found)


def test_digests_are_weighed_by_their_counts(tmp_path: Path) -> None:
    rows = [
        ("shop", "d1", "SELECT `c` FROM `t` WHERE `id` = ?", 40, 2 * 10**12, "SELECT c FROM t WHERE id = 7"),
        ("shop", "d2", "SELECT `c` FROM `t` WHERE `d` = ?", 2, 6 * 10**12, None),
        ("shop", "d3", "SELECT `c` FROM `t` WHERE `d` IN (...)", 3, 1, None),
        ("shop", "d4", "COMMIT", 3, 1, "COMMIT"),
        (None, None, None, 9, 1, None),
    ]
    names = ["SCHEMA_NAME", "DIGEST", "DIGEST_TEXT", "COUNT_STAR", "SUM_TIMER_WAIT", "QUERY_SAMPLE_TEXT"]
    lines = ["\t".join("NULL" if one is None else str(one) for one in row) for row in (names, *rows)]
    table = of_text(tmp_path, "\n".join(lines) + "\n")
    as_json = of_text(tmp_path, json.dumps([dict(zip(names, row, strict=True)) for row in rows]))
    assert table.pages == as_json.pages
    assert [line for line in body(table) if "weight" in line] == [
        "-- @transaction select_t weight=2",
        "-- @transaction select_t_2 weight=40",
    ]
    assert "75.0 % of the time, 2 of 42 executions" in table.pages.text
    assert table.left_out == {
        "BEGIN and COMMIT of unknown sessions": 3,
        "with a list of unknown length": 3,
        "without a text: the source counts more kinds than it shows": 9,
    }


def test_each_pool_has_a_file_of_its_own(tmp_path: Path) -> None:
    """The second pool of the first statement would have the name of the second statement."""
    found = of_text(
        tmp_path,
        "SELECT a, d FROM t, u WHERE e IN (1, 2) OR e IN (3, 4); SELECT a FROM t, u WHERE e IN (5, 6);",
    )
    kept = sorted(sorted(text.split()[1:]) for text in found.pages.files.values())
    assert kept == [["1", "2"], ["3", "4"], ["5", "6"]]


def test_a_list_that_is_cut_is_said(tmp_path: Path) -> None:
    found = of_text(tmp_path, f"SELECT a FROM t WHERE b IN ({', '.join(map(str, range(150)))})")
    assert ":b*100" in found.pages.text
    assert "150 in the source, and 100 here" in found.pages.text


@pytest.mark.parametrize(
    ("log", "left_out"),
    [
        (b"\t\t 1 Query\tSELECT 'a\n\t\t 1 Query\tSELECT 1 FROM t\n", {"cut or not closed": 1}),
        (
            b"\t\t 1 Query\tSELECT \xff\xfe\x00 FROM t\r\n\t\t 1 Query\tSELECT 1 FROM t\r\n",
            {"with names that are not UTF-8": 1},
        ),
        (
            b"\t\t 1 Query\tBEGIN\n\t\t 1 Query\tDELETE FROM t\n\t\t 2 Query\tSELECT 1 FROM t\n",
            {"in a transaction without an end": 1},
        ),
        (
            b"\t\t 1 Query\tUSE a\n\t\t 1 Query\tSELECT 1 FROM t\n\t\t 1 Query\tSELECT 2 FROM b.t, t\n",
            {"in database b": 1},
        ),
        (b"\t\t 1 Query\tLOAD DATA INFILE 'x' INTO TABLE t\n\t\t 1 Query\tSELECT 1 FROM t\n", {"LOAD": 1}),
        (
            b"\t\t 1 Query\tSELECT :a FROM t\n\t\t 1 Query\tSELECT LOWER(?) FROM t\n"
            b"\t\t 1 Query\tSELECT a FROM t WHERE b = :1\n\t\t 1 Query\tSELECT 1 FROM t",
            {"with :name": 2, "with values that are compared with no known column": 1},
        ),
        (
            b"SELECT a FROM t WHERE b = [X.1];\nSELECT a FROM t WHERE b = $1;\nSELECT a FROM t LIMIT %s;\n"
            b"SELECT a FROM t WHERE b IN (%(b)s);\nSELECT a FROM t WHERE b = ${b};\n"
            b"SELECT a FROM t WHERE b = {b};\nSELECT a FROM t WHERE b = '{{' AND c = {{ c }};\n"
            b"SELECT 1 FROM t;\n",
            {"with placeholders": 7},
        ),
        (
            b"\t\t 1 Query\tCREATE PROCEDURE p() BEGIN SELECT 1; END\n\t\t 1 Query\tSELECT 1 FROM t\n",
            {"CREATE": 1},
        ),
        (
            b"\t\t 1 Query\tSELECT COUNT(*) INTO n FROM t WHERE a = NAME_CONST('p',1)\n"
            b"\t\t 1 Query\tDELETE FROM t WHERE a = NAME_CONST('p',1)\n"
            b"\t\t 1 Query\tSELECT 1 FROM t\n",
            {"inside of stored routines, which no client sends": 2},
        ),
        (
            b"# User@Host: a[a] @ b []\n# Query_time: 2\n# Stored_routine: a.p\nSELECT 2 FROM t;\n"
            b"# User@Host: a[a] @ b []\n# Query_time: 1\nSELECT 1 FROM t;\n",
            {"inside of stored routines, which no client sends": 1},
        ),
        (
            b"SELECT 1 FROM t\\G\nuse a\nSELECT 'b\nFROM t;\nSELECT 2;\n",
            {"rest of the file from line 3 on, where a quote or a comment is not closed": 1},
        ),
        (
            b"SELECT a\nFROM t WHERE b = 2\n\n-- next\nSELECT c FROM t;\n"
            b"DELETE FROM t\nWHERE a = 1\nUPDATE t SET a = 3;\nINSERT INTO t SELECT a FROM t\nselect 3;\n"
            b"WITH w AS (SELECT 1) SELECT 2 FROM w\nSELECT 1 FROM t;\n"
            b"SELECT 1 FROM t;\n",
            {"with another after them and no semicolon between": 4},
        ),
        (
            b"\t\t 1 Query\tSELECT a FROM mysql.user\n\t\t 1 Query\tSELECT @@version\n"
            b"\t\t 1 Query\tSELECT 1 FROM t\n",
            {"about the server": 1, "about variables of the server": 1},
        ),
    ],
)
def test_what_cannot_be_sent_is_counted(log: bytes, left_out: dict[str, int], tmp_path: Path) -> None:
    found = of_text(tmp_path, log)
    assert found.left_out == left_out
    assert body(found)[-2] == "SELECT 1 FROM t;"


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT a FROM t UNION ALL SELECT b FROM t",
        "(SELECT a FROM t) UNION (SELECT b FROM t)",
        "INSERT INTO t (a) SELECT a FROM u ON DUPLICATE KEY UPDATE a = 1",
        "WITH w AS (SELECT 1) DELETE FROM t WHERE a IN (SELECT 1 FROM w)",
        "SELECT a FROM t WHERE b = (SELECT MAX(b) FROM u) FOR UPDATE",
        "SELECT `update`, INSERT('a', 1, 1, 'b'), t.delete FROM t",
    ],
)
def test_a_statement_with_several_verbs_is_one(statement: str, tmp_path: Path) -> None:
    assert of_text(tmp_path, statement + ";\n").left_out == {}


def test_a_file_without_statements_is_not_made_of_the_tables_beside_it(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="left out: 1 of no known kind") as refused:
        of_text(tmp_path, "question 1 :\nSELECT a FROM customers\n", schema=SCHEMA)
    assert "a semicolon at the end of each statement" in (refused.value.hint or "")


LOG_HEAD = b"""mysqld, Version: 5.7.28-log (MySQL Community Server (GPL)). started with:
Tcp port: 0  Unix socket: /var/run/mysqld/mysqld.sock
Time                 Id Command    Argument
"""


def test_nothing_is_no_file(tmp_path: Path) -> None:
    for content, message in (
        (b"", "has no statement"),
        (b"SET NAMES utf8;", "left out: 1 SET"),
        (2 * LOG_HEAD, "has logged no statement yet"),
        (2 * LOG_HEAD.replace(b"\n", b"\r\n"), "has logged no statement yet"),
        (8_000 * LOG_HEAD + b"SET NAMES utf8;", "left out: "),
        (b"SELECT a FROM t WHERE b = :x;", "fill the template"),
        (b"SELECT a\nFROM t\nSELECT b FROM t;", "write a semicolon"),
        (b"\t\t 1 Query\tBEGIN\n\t\t 1 Query\tDELETE FROM t\n", "give more of the log"),
        (b"BEGIN;\nDELETE FROM t;\n", "write COMMIT or ROLLBACK"),
        (b"\x1f\x8bx", "it is damaged or cut"),
        (b"PRAGMA foreign_keys=OFF;\n", "no SQL of MySQL or MariaDB dump a MySQL or MariaDB server"),
    ):
        with pytest.raises(InputError) as refused:
            of_text(tmp_path, content)
        assert message in f"{refused.value.message} {refused.value.hint}"


def test_the_most_costly_kinds_are_kept(tmp_path: Path) -> None:
    found = of_text(tmp_path, "".join(f"SELECT c{n} FROM t;\n" * (1 + n % 3) for n in range(300)))
    assert found.kinds + found.rest == 300
    assert found.kinds <= 200
    assert "weight=3" in found.pages.text
    assert "weight=1" not in found.pages.text
    assert f"{found.rest} kinds more" in found.pages.text
