"""Draws heed the CHECK conditions of columns; those that they cannot heed are said."""

from __future__ import annotations

from pathlib import Path

import pytest
from first_files import body, of_text

HELD = [
    ("v INT CHECK (v BETWEEN 18 AND 65)", "int(18..65)"),
    ("v INT, CHECK (v > 0 AND v < 10)", "int(1..9)"),
    ("v INT, CONSTRAINT c CHECK ((`v` >= 2000000))", "int(2000000..2999999)"),
    ("v TINYINT, CHECK (100 > v)", "int(1..99)"),
    ("v INT, CHECK (v >= -5 AND v <= -1)", "int(-5..-1)"),
    ("v INT, CHECK (v <> 0)", "int(1..1000000)"),
    ("v INT, CHECK (v IN (1, 2, 3))", "pick(1, 2, 3)"),
    ("v INT, CHECK (v = 4 OR v IS NULL)", "pick(4)"),
    ("v DECIMAL(5,2), CHECK (v > 0 AND v <= 5.5)", "decimal(0.01..5.50)"),
    ("v DOUBLE CHECK (v >= 0 AND v <= 1)", "decimal(0.00..1.00)"),
    ("v DATE, CHECK (v >= DATE'2030-01-01')", "date(2030-01-01..2030-12-31)"),
    ("v DATETIME, CHECK (v < '2000-01-01')", "datetime(1999-01-01 23:59:59..1999-12-31 23:59:59)"),
    ("v YEAR, CHECK (v BETWEEN 1990 AND 1999)", "int(1990..1999)"),
    ("v VARCHAR(9), CHECK (v IN (_utf8mb4'new', 'it''s'))", "pick('new', \"it's\")"),
    ("v VARCHAR(9), CHECK (v <> '' AND CHAR_LENGTH(v) >= 5)", "text(5..9)"),
    ("v VARCHAR(99), CHECK (length(v) <= 4)", "text(3..4)"),
    ("v LONGTEXT CHECK (json_valid(`v`))", "'{}'"),
    ("v INT, CHECK (v > 5) NOT ENFORCED", "int(1..1000000)"),
    ("v INT, CHECK (v > 5) /*!80016 NOT ENFORCED */", "int(1..1000000)"),
    ("v INT CHECK (CAST(v AS CHAR) <> '' OR (v > 2 AND v < 4))", "int(3..3)"),
]


@pytest.mark.parametrize(("column", "draw"), HELD)
def test_a_draw_heeds_a_condition(column: str, draw: str, tmp_path: Path) -> None:
    found = of_text(tmp_path, f"CREATE TABLE t (id INT PRIMARY KEY, {column});")
    assert f"-- @let v = {draw}" in body(found)
    assert not any("CHECK" in note for note in found.notes)


@pytest.mark.parametrize(
    "condition", ["v > w", "v LIKE 'a%'", "v % 2 = 0", "NOT (v = 1)", "v IN (w, 1)", "v REGEXP 'a' OR w > v"]
)
def test_a_condition_that_no_draw_heeds_is_said(condition: str, tmp_path: Path) -> None:
    text = f"CREATE TABLE t (id INT PRIMARY KEY, v INT, w INT, CHECK ({condition}));"
    found = of_text(tmp_path, text)
    said = [note for note in found.notes if "no draw heeds CHECK" in note]
    assert len(said) == 1
    assert said[0] in found.pages.text


def test_conditions_that_leave_nothing_leave_the_table_out(tmp_path: Path) -> None:
    text = "CREATE TABLE t (id INT PRIMARY KEY, v INT, CHECK (v > 5), CHECK (v < 5));"
    found = of_text(tmp_path, text)
    assert any("leave no number" in note for note in found.notes)
    assert [line for line in body(found) if line.startswith("INSERT")] == []


MIGRATIONS = """CREATE TABLE a (id INT PRIMARY KEY, old INT, gone INT);
CREATE TABLE b LIKE a;
ALTER TABLE a CHANGE old fresh VARCHAR(20), DROP COLUMN gone, ADD (one INT, two DATE);
ALTER TABLE a ADD COLUMN IF NOT EXISTS three INT, ADD CONSTRAINT c CHECK (three IN (7));
ALTER TABLE a RENAME COLUMN two TO four;
RENAME TABLE a TO c;
CREATE OR REPLACE TABLE d (id INT PRIMARY KEY);
DROP TABLE IF EXISTS d;
"""


def test_a_table_is_what_migrations_make_of_it(tmp_path: Path) -> None:
    found = of_text(tmp_path, MIGRATIONS)
    inserts = [line for line in body(found) if line.startswith("INSERT")]
    assert inserts == [
        "INSERT INTO `b` (`id`, `old`, `gone`) VALUES (:id, :old, :gone);",
        "INSERT INTO `c` (`id`, `fresh`, `one`, `four`, `three`) VALUES (:id, :fresh, :one, :four, :three);",
    ]
    assert "-- @let three = pick(7)" in body(found)
