"""The first file of statements that tables become: those of a schema, and those of a dump with rows."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.experiments.own import Source, check_file, first_file
from first_files import SCHEMA, body, made, of_text

NO_ROWS = (
    "source has no rows to draw from: name the file or the folder that has them, by --schema,"
    " or have rows like a server's generated: assay manual guide/data-at-scale"
)


def test_tables_alone_become_reads_by_key_and_new_rows() -> None:
    found = made(SCHEMA)
    lines = body(found)
    assert "-- @let (order_id, line) = row(order_lines: order_id, line)" in lines
    assert "-- @let order_id = column(orders.id)" in lines
    assert "-- @let line = seq(order_lines.line)" in lines
    assert "-- @let mail = hex(32)" in lines
    assert "-- @let state = pick('open', \"it's\", 'shut')" in lines
    assert not any("total" in line for line in lines)


def test_keys_may_come_after_the_tables(tmp_path: Path) -> None:
    """phpMyAdmin writes the keys of all tables after the tables and their rows."""
    found = of_text(
        tmp_path,
        "SELECT 'loading' AS info;\n"
        "CREATE TABLE a (id int(11) NOT NULL, b national character varying(9) NOT NULL, c INT NOT NULL);\n"
        "CREATE TABLE d (id INT DEFAULT (1) NOT NULL, c INT, e INT);\nINSERT INTO a VALUES (1, 'x', 2);\n"
        "INSERT INTO d VALUES (2, 3, 4);\n"
        "ALTER TABLE `a`\n  ADD PRIMARY KEY (`id`),\n  ADD UNIQUE KEY `b` (`b`), ADD KEY c (c);\n"
        "ALTER TABLE `a` MODIFY `id` int(11) NOT NULL AUTO_INCREMENT, AUTO_INCREMENT=2;\n"
        "ALTER TABLE a ADD CONSTRAINT x FOREIGN KEY (c) REFERENCES d (id) ON DELETE CASCADE;\n"
        "CREATE UNIQUE INDEX e ON d (e);\nALTER TABLE gone ADD PRIMARY KEY (id);\nsource rest.sql\n",
    )
    lines = body(found)
    assert "SELECT * FROM `a` WHERE `id` = :id;" in lines
    assert "SELECT * FROM `d` WHERE `e` = :e;" in lines
    assert "INSERT INTO `a` (`b`, `c`) VALUES (:b, :c);" in lines
    assert {"-- @let b = hex(9)", "-- @let c = column(d.id)", "-- @let e = seq(d.e)"} <= set(lines)
    assert found.left_out == {
        "rows of tables that the file makes": 2,
        "without a table, in a file that makes some": 1,
        "files that it names by SOURCE, which are not read": 1,
        "ALTER": 1,
    }


def test_a_schema_whose_triggers_insert_has_no_rows(tmp_path: Path) -> None:
    schema = tmp_path / "schema.sql"
    schema.write_text(
        "CREATE TABLE t (id INT PRIMARY KEY);\nDELIMITER ;;\n"
        "CREATE TRIGGER a AFTER INSERT ON t FOR EACH ROW BEGIN INSERT INTO u VALUES (1); END;;\n"
    )
    assert first_file(Source(str(schema)), tmp_path / "own.sql", with_values=True).data is None


def test_a_dump_that_empties_its_tables_first_is_one_of_tables(tmp_path: Path) -> None:
    """HeidiSQL writes so."""
    found = of_text(
        tmp_path,
        "CREATE TABLE IF NOT EXISTS a (id INT PRIMARY KEY);\nDELETE FROM `a`;\nINSERT INTO a VALUES (1);\n",
    )
    assert "SELECT * FROM `a` WHERE `id` = :id;" in body(found)
    assert found.left_out == {
        "DELETE of all rows of a table that the file makes": 1,
        "rows of tables that the file makes": 1,
    }


def test_names_that_become_alike_stay_apart(tmp_path: Path) -> None:
    tables = "".join(f"CREATE TABLE `{name}` (`{name}` INT PRIMARY KEY);" for name in ("a b", "a_b", "用户"))
    names = [line for line in body(of_text(tmp_path, tables)) if "@transaction read" in line]
    assert names == [f"-- @transaction read_{name} weight=10" for name in ("a_b", "a_b_2", "__")]


@pytest.mark.parametrize(
    ("view", "is_text"),
    [
        ("CREATE VIEW v AS SELECT id FROM t", True),
        ("CREATE VIEW v AS SELECT id FROM `shop`.`t`", False),
        ("INSERT INTO t VALUES ('a@shop.example')", True),
    ],
)
def test_a_dump_whose_statements_name_its_database_is_loaded_by_the_study(
    view: str, is_text: bool, tmp_path: Path
) -> None:
    dump = tmp_path / "dump.sql"
    dump.write_text(f"USE shop;\nCREATE TABLE t (id INT PRIMARY KEY);\nINSERT INTO t VALUES (1);\n{view};\n")
    log = tmp_path / "log.sql"
    log.write_text("SELECT id FROM t WHERE id = 1;")
    for origin, schema in ((log, dump), (dump, None)):
        found = first_file(Source(str(origin), schema), tmp_path / "own.sql", with_values=True)
        assert found.data is not None
        assert (found.data.database, found.data.is_text) == (None, is_text)
        assert ("@data dump.sql" in found.pages.text) == is_text
        assert ('use = "dump:dump.sql".' in found.pages.text) == (not is_text)
        check_file("own.sql", found.pages)


def test_a_schema_of_many_tables_has_as_many_as_fit(tmp_path: Path) -> None:
    found = of_text(
        tmp_path, "".join(f"CREATE TABLE t{n} (id INT PRIMARY KEY, b INT);\n" for n in range(300))
    )

    assert found.pages.text.count("-- @transaction ") == 240
    assert found.notes == ["180 more tables: a file has 240 transactions at most", NO_ROWS]


@pytest.mark.parametrize(
    ("columns", "ignores"),
    [
        ("id INT PRIMARY KEY, c INT NOT NULL, UNIQUE (c), FOREIGN KEY (c) REFERENCES a (id)", True),
        ("id INT PRIMARY KEY, c CHAR(2) NOT NULL UNIQUE", True),
        ("id INT PRIMARY KEY, c INT NOT NULL, d SMALLINT NOT NULL, UNIQUE (c, d)", True),
        ("id INT PRIMARY KEY, c VARCHAR(40) NOT NULL UNIQUE", False),
        ("id INT PRIMARY KEY, c INT NOT NULL, at DATETIME NOT NULL", False),
        ("id INT AUTO_INCREMENT, c INT, PRIMARY KEY (c, id)", False),
        ("id INT PRIMARY KEY, c POINT, UNIQUE (c)", False),
    ],
)
def test_a_new_row_whose_key_may_be_there_is_no_error(columns: str, ignores: bool, tmp_path: Path) -> None:
    tables = f"CREATE TABLE a (id INT PRIMARY KEY);\nCREATE TABLE b ({columns});\n"
    (insert,) = (one for one in body(of_text(tmp_path, tables)) if " INTO `b`" in one)
    assert insert.startswith("INSERT IGNORE") == ignores


def test_a_pair_of_rows_may_be_there(tmp_path: Path) -> None:
    found = of_text(
        tmp_path,
        "CREATE TABLE a (id INT PRIMARY KEY);\n"
        "CREATE TABLE b (x INT, y INT, PRIMARY KEY (x, y), FOREIGN KEY (x) REFERENCES a (id),"
        " FOREIGN KEY (y) REFERENCES a (id));\n",
    )
    assert "INSERT IGNORE INTO `b` (`x`, `y`) VALUES (:x, :y);" in body(found)
    assert "INSERT INTO `a` (`id`) VALUES (:id);" in body(found)


def test_nothing_is_drawn_from_a_table_of_a_dump_that_has_no_row(tmp_path: Path) -> None:
    tables = (
        "CREATE TABLE a (id INT PRIMARY KEY);\n"
        "CREATE TABLE b (id INT PRIMARY KEY, a INT REFERENCES a (id));\n"
        "CREATE TABLE c (id INT PRIMARY KEY, a INT NOT NULL REFERENCES a (id));\n"
    )
    reads = ["SELECT * FROM `a`", "SELECT * FROM `b`", "SELECT * FROM `c`"]
    for rows, read, notes in (
        ("", reads, [NO_ROWS]),
        (
            "INSERT INTO `B` VALUES (1, NULL);\n",
            ["SELECT * FROM `b`"],
            ["a: no row to read", "c: no row to read", "c: column a refers to a, which has no row"],
        ),
    ):
        found = of_text(tmp_path, tables + rows)
        assert [line[:17] for line in body(found) if line.startswith("SELECT")] == read
        assert found.notes == notes
    assert "INSERT INTO `b` (`id`, `a`) VALUES (:id, NULL);" in body(found)


def test_names_may_stand_in_double_quotes(tmp_path: Path) -> None:
    """mysqldump --compatible=ansi writes them so."""
    text = (
        'CREATE TABLE "a" ("id" int NOT NULL, "b" enum(\'x\') DEFAULT \'x\', PRIMARY KEY ("id"));\n'
        'ALTER TABLE "a" ADD COLUMN "c" varchar(9);\nINSERT INTO "a" VALUES (1, \'x\', \'y\');\n'
    )
    lines = body(of_text(tmp_path, text))
    assert "SELECT * FROM `a` WHERE `id` = :id;" in lines
    assert "INSERT INTO `a` (`id`, `b`, `c`) VALUES (:id, :b, :c);" in lines


def test_a_dump_that_is_no_text_of_a_study_is_loaded_apart(tmp_path: Path) -> None:
    dump = tmp_path / "dump.sql"
    dump.write_bytes(b"CREATE TABLE a (id INT PRIMARY KEY, b BLOB);\nINSERT INTO a VALUES (1, '\xff\xfe');\n")
    found = first_file(Source(str(dump)), tmp_path / "own.sql", with_values=True)
    assert found.data is not None
    assert not found.data.is_text
    assert '[dataset] use = "dump:dump.sql"' in found.pages.text


def test_a_schema_may_be_in_utf_16_and_set_a_delimiter_for_all_of_it(tmp_path: Path) -> None:
    """PowerShell writes what mysqldump prints in UTF-16; Cacti sets a delimiter."""
    schema = tmp_path / "schema.sql"
    tables = "CREATE TABLE a (id INT PRIMARY KEY, b INT);\nINSERT INTO a VALUES (1, 2);"
    text = f"DELIMITER //\nSET @a = 1;\n{tables}\n//\n"
    schema.write_bytes(text.encode("utf-16"))
    found = first_file(Source(str(schema)), tmp_path / "own.sql", with_values=True)
    assert "SELECT * FROM `a` WHERE `id` = :id;" in body(found)
    assert found.data is not None
    assert not found.data.is_text


def test_a_dump_elsewhere_is_named_by_its_path(tmp_path: Path) -> None:
    schema, source = tmp_path / "dump.sql", tmp_path / "queries.sql"
    schema.write_text("CREATE TABLE t (id INT PRIMARY KEY);\nINSERT INTO t VALUES (1);\n")
    source.write_text("SELECT id FROM t WHERE id = 1;\n")
    (tmp_path / "elsewhere").mkdir()

    found = first_file(Source(str(source), schema), tmp_path / "elsewhere" / "own.sql", with_values=True)

    assert found.data is not None
    assert (found.data.name, found.data.is_text, found.notes) == (str(schema.resolve()), False, [])
    assert f'use = "dump:{schema.resolve()}"' in found.pages.text


def test_tables_without_rows_are_named(tmp_path: Path) -> None:
    schema = tmp_path / "tables.sql"
    schema.write_text("CREATE TABLE t (id INT PRIMARY KEY);\n")
    found = of_text(tmp_path, "SELECT id FROM t WHERE id = 1;\n", schema=schema)
    assert any("tables.sql has no rows to draw from" in note for note in found.notes)
    assert any("tables.sql has no rows to draw from" in note for note in made(schema).notes)

    schema.write_text("CREATE TABLE t (id INT PRIMARY KEY);\nDROP TABLE t;\n")
    with pytest.raises(InputError, match="drops every table that it makes"):
        of_text(tmp_path, "SELECT id FROM t WHERE id = 1;\n", schema=schema)
