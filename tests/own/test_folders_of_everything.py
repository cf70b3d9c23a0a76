"""Folders and files that hold tables, rows and statements together, as people keep them."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.experiments.own import FirstFile, Source, check_file, first_file
from first_files import body

TABLE = "CREATE TABLE t (id INT PRIMARY KEY, a INT);\n"
ROWS = "INSERT INTO t VALUES (1, 1), (2, 2);\nINSERT INTO t VALUES (3, 3);\n"
QUERY = "SELECT a FROM t WHERE id = 1;\n"


def _made(folder: Path, files: dict[str, str], source: str = "") -> FirstFile:
    inside = folder / "shop"
    inside.mkdir()
    for name, text in files.items():
        (inside / name).write_text(text)
    found = first_file(Source(str(inside / source)), folder / "own.sql", with_values=True)
    check_file("own.sql", found.pages)
    return found


@pytest.mark.parametrize("names", [("1-rows.sql", "2-table.sql"), ("data.sql", "tables.sql")])
def test_rows_are_no_load_whichever_file_stands_first(names: tuple[str, str], tmp_path: Path) -> None:
    found = _made(tmp_path, {names[0]: ROWS, names[1]: TABLE})
    assert (found.form, found.left_out) == ("schema", {"rows of tables that the file makes": 2})


def test_a_file_does_not_begin_in_the_database_of_the_one_before(tmp_path: Path) -> None:
    files = {"a.sql": "USE shop;\nSELECT a FROM t WHERE id = 1;", "b.sql": "SELECT a FROM t WHERE id = 2;"}
    found = _made(tmp_path, files | {"c.sql": "USE old;\nSELECT a FROM t WHERE id = 3;\n"})
    assert (found.executions, found.left_out) == (2, {"in database old": 1})


@pytest.mark.parametrize(
    ("files", "source"),
    [
        ({"all.sql": TABLE + ROWS + QUERY}, "all.sql"),
        ({"all.sql": TABLE + ROWS + QUERY}, ""),
        ({"begin.sql": TABLE + ROWS, "one.sql": QUERY}, ""),
        ({"all.sql": TABLE + ROWS, "old.sql": f"USE old;\n{TABLE}", "one.sql": f"USE shop;\n{QUERY}"}, ""),
    ],
)
def test_tables_that_the_source_makes_are_its_data(
    files: dict[str, str], source: str, tmp_path: Path
) -> None:
    found = _made(tmp_path, files, source)

    assert found.data is not None
    assert found.data.name == f"shop/{next(iter(files))}"
    assert found.data.is_text
    assert f"-- @data {found.data.name}" in found.pages.text
    assert "-- @let t_id = column(t.id)" in body(found) or "-- @let id = column(t.id)" in body(found)


def test_tables_that_several_files_make_are_named(tmp_path: Path) -> None:
    other = "CREATE TABLE u (id INT PRIMARY KEY);\nINSERT INTO u VALUES (1);\n"
    found = _made(tmp_path, {"a.sql": TABLE + ROWS, "b.sql": other, "c.sql": QUERY})
    assert found.data is None
    assert found.notes == [
        "the tables are made by a.sql, b.sql: put these into a folder of their own, and name it by --schema"
    ]


def test_a_table_whose_file_of_rows_is_empty_is_not_drawn_from(tmp_path: Path) -> None:
    files = {
        "schema.sql": "CREATE TABLE a (id INT PRIMARY KEY);\nCREATE TABLE b (id INT PRIMARY KEY);\n",
        "a.csv": "1\n2\n",
        "b.csv": "",
    }
    found = _made(tmp_path, files)
    reads = [line for line in body(found) if line.startswith("SELECT")]
    assert reads == ["SELECT * FROM `a` WHERE `id` = :id;"]
    assert "b: no row to read" in found.notes


@pytest.mark.parametrize("beside", [True, False])
def test_a_folder_of_tables_without_rows_says_so(beside: bool, tmp_path: Path) -> None:
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "a.sql").write_text(TABLE)
    (tmp_path / "log.sql").write_text(QUERY)
    source = Source(str(tmp_path / "log.sql"), folder) if beside else Source(str(folder))
    found = first_file(source, tmp_path / "own.sql", with_values=True)
    assert found.data is None
    assert any("shop has no rows to draw from" in note for note in found.notes)
