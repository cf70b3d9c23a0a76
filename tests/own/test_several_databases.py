"""Sources and schemas that name several databases: which one a first file is of."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.experiments.own import FirstFile, Source, first_file
from first_files import body

_TABLES = "USE {0};\nCREATE TABLE {1} (id INT PRIMARY KEY);\nINSERT INTO {1} VALUES (1);\n".format
DUMP = _TABLES("mysql", "user") + _TABLES("Shop", "t") + _TABLES("old", "u") + _TABLES("bank", "v")
"""A dump of a whole server, with a table of the server's own."""
HEAD = "-- Host: db    Database: {0}\nCREATE TABLE {1} (id INT PRIMARY KEY);\nINSERT INTO {1} VALUES (1);"


def _made(folder: Path, dump: str, statements: str | None, database: str | None = None) -> FirstFile:
    """What statements become beside a dump, or what the dump itself does."""
    (folder / "dump.sql").write_text(dump)
    origin, schema = folder / "dump.sql", None
    if statements is not None:
        origin, schema = folder / "log.sql", folder / "dump.sql"
        origin.write_text(statements)
    return first_file(Source(str(origin), schema, None, database), folder / "own.sql", with_values=True)


@pytest.mark.parametrize("statements", ["SELECT id FROM t WHERE id = 1;", "SELECT id FROM other.t;", None])
def test_all_databases_of_users_are_named_where_none_is_meant(statements: str | None, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"tables of several databases: Shop, old, bank$") as refused:
        _made(tmp_path, DUMP, statements)
    assert refused.value.hint == "name the one to take: --database Shop"


@pytest.mark.parametrize(
    ("statements", "database"),
    [
        ("USE Shop;\nSELECT id FROM t WHERE id = 1;", None),
        ("USE shop;\nSELECT id FROM t WHERE id = 1;", None),
        ("SELECT id FROM SHOP.t WHERE id = 1;", None),
        ("SELECT id FROM t WHERE id = 1;\nSELECT id FROM Shop.t;\nSELECT u.id FROM old.u, shop.t;", None),
        ("SELECT id FROM t WHERE id = 1;", "shop"),
    ],
)
def test_the_database_that_statements_use_is_taken(
    statements: str, database: str | None, tmp_path: Path
) -> None:
    found = _made(tmp_path, DUMP, statements, database)

    assert found.data is not None
    assert (found.data.database, found.data.is_text) == ("Shop", False)
    assert 'use = "dump:dump.sql", database = "Shop"' in found.pages.text
    assert "-- @let id = column(t.id)" in body(found) or "-- @let t_id = column(t.id)" in body(found)
    assert not any("." in line for line in body(found) if line.startswith("SELECT"))


def test_one_database_beside_those_of_the_server_is_no_question(tmp_path: Path) -> None:
    found = _made(tmp_path, _TABLES("mysql", "user") + _TABLES("shop", "t"), None)
    assert [one for one in body(found) if one.startswith("SELECT")] == ["SELECT * FROM `t` WHERE `id` = :id;"]


def test_an_unknown_database_is_told_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(InputError, match='no table of database banc; did you mean "bank"') as refused:
        _made(tmp_path, DUMP, None, "banc")
    assert refused.value.hint == "name one of them by --database: Shop, old, bank"


def test_statements_of_another_database_than_the_tables_are_named(tmp_path: Path) -> None:
    found = _made(tmp_path, _TABLES("shop", "t"), "USE store;\nSELECT id FROM t WHERE id = 1;")
    assert found.notes == ["the statements are of database store, and the tables of shop"]


def test_letters_of_one_database_in_capitals_or_not_are_one(tmp_path: Path) -> None:
    log = (
        "USE Shop;\nSELECT id FROM t WHERE id = 1;\nSELECT id FROM shop.t WHERE id = 2;\nUSE SHOP;\nSELECT 7;"
    )
    found = _made(tmp_path, _TABLES("shop", "t"), log)
    assert (found.executions, found.left_out) == (3, {})


def test_heads_of_a_folder_of_dumps_say_the_database_of_each(tmp_path: Path) -> None:
    """Workbench and mysqldump write a file for each table, or for each database, and no USE."""
    folder = tmp_path / "dumps"
    folder.mkdir()
    for database, table in (("shop", "a"), ("shop", "b"), ("old", "a")):
        (folder / f"{database}_{table}.sql").write_text(HEAD.format(database, table))

    with pytest.raises(InputError, match=r"several databases: old, shop$"):
        first_file(Source(str(folder)), tmp_path / "own.sql", with_values=True)
    found = first_file(Source(str(folder), None, None, "old"), tmp_path / "own.sql", with_values=True)
    assert (found.database, found.pages.text.count("SELECT * FROM `a`")) == ("old", 1)
    assert "FROM `b`" not in found.pages.text
    log = tmp_path / "log.sql"
    log.write_text("SELECT id FROM b WHERE id = 1;")
    found = first_file(Source(str(log), folder, None, "shop"), tmp_path / "own.sql", with_values=True)
    assert found.data is not None
    assert (found.data.name, found.data.database) == ("dumps", "shop")
    assert "-- @let b_id = column(b.id)" in body(found)


def test_heads_of_one_database_are_no_question(tmp_path: Path) -> None:
    """MySQL Shell names the table as well."""
    folder = tmp_path / "dumps"
    folder.mkdir()
    for table in ("a", "b"):
        (folder / f"shop@{table}.sql").write_text(HEAD.format(f"shop    Table: {table}", table))
    (folder / "shop.sql").write_text("-- Host: db    Database: shop\n")
    assert first_file(Source(str(folder)), tmp_path / "own.sql", with_values=True).database == "shop"
