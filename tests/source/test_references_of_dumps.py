"""Tables that refer to each other across files, and what is said of a dump that a server refuses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from assay.base.errors import InputError, ServerError
from assay.design.plan import OwnData
from assay.measurement.source.dataset.own_tables import Loading
from assay.system.engine.interrupts import Interrupts
from assay.system.server import Instance
from dump_folders import folder

pytestmark = pytest.mark.live

Load = Callable[[Path, str], None]


@pytest.fixture
def load(mariadb: Instance) -> Iterator[Load]:
    made = []

    def loaded(path: Path, database: str) -> None:
        made.append(database)
        own = OwnData(f"dump:{path}", str(path), "", database)
        Loading(mariadb.build, own, Interrupts()).carry_out(mariadb)

    yield loaded
    with closing(mariadb.connect()) as connection, connection.cursor() as cursor:
        for database in made:
            cursor.execute(f"DROP DATABASE IF EXISTS `{database}`")


def test_tables_may_refer_to_tables_of_a_later_file(mariadb: Instance, load: Load, tmp_path: Path) -> None:
    """A program that exports each table to a file of its own has nobody say in which order they come."""
    files = {
        "a.sql": "CREATE TABLE a (id INT PRIMARY KEY, b INT REFERENCES b (id));\n"
        "SET foreign_key_checks = 0;\nINSERT INTO a VALUES (1, 2);\nSET foreign_key_checks = 1;\n",
        "b.sql": "CREATE TABLE b (id INT PRIMARY KEY, c INT, KEY (c));\nINSERT INTO b VALUES (2, 3);\n"
        "ALTER TABLE b ADD FOREIGN KEY (c) REFERENCES d (id);\n",
        "d.sql": "CREATE TABLE d (id INT);\nINSERT INTO d VALUES (3);\nALTER TABLE d ADD PRIMARY KEY (id);\n",
    }
    load(folder(tmp_path / "ahead", files), "ahead")

    with closing(mariadb.connect()) as connection:
        connection.select_db("ahead")
        for table, other in (("a", "b"), ("b", "d")):
            assert f"REFERENCES `{other}`" in str(connection.rows(f"SHOW CREATE TABLE {table}")[0][1])


@pytest.mark.parametrize(
    ("text", "place", "hint"),
    [
        ("CREATE TABLE a (b INT REFERENCES gone (id));", "1: CREATE TABLE a", "refers to gone, which no"),
        (
            "CREATE TABLE a (b INT REFERENCES parent (id));\nCREATE TABLE Parent (id INT PRIMARY KEY);\n",
            "1: CREATE TABLE a",
            "the files make Parent, which is another table",
        ),
        (
            "CREATE TABLE Parent (id INT PRIMARY KEY);\nINSERT INTO Parent VALUES (1);\n"
            "CREATE TABLE a (b INT REFERENCES parent (id));\nINSERT INTO a VALUES (1);\n",
            "3: CREATE TABLE a",
            "the files make Parent, which is another table",
        ),
        (
            "CREATE TABLE p (id TEXT);\nCREATE TABLE a (b INT REFERENCES p (id));",
            "2: CREATE TABLE a",
            "no index in the referenced table",
        ),
        (
            "CREATE TABLE a (id INT PRIMARY KEY);\nINSERT INTO a VALUES (1);\nINSERT INTO a VALUES (1);",
            "3: .*Duplicate entry",
            "two rows have the same key",
        ),
        ("CREATE TABLE a (id INT);\nCREATE TABLE a (id INT);", "2: CREATE TABLE a", "is made twice"),
        ("CREATE TABLE a (t TEXT) CHARSET latin1;\nINSERT INTO a VALUES ('数');", "2: ", "utf8mb4"),
        (
            "CREATE TABLE Parent (id INT);\nCREATE VIEW v AS SELECT id FROM parent;",
            "2: CREATE VIEW",
            "the files make Parent, which is another table",
        ),
        ("INSERT INTO gone VALUES (1);", "1: .*gone", "no statement before makes the table"),
    ],
)
def test_what_is_refused_has_a_hint_that_fits_a_dump(
    text: str, place: str, hint: str, load: Load, tmp_path: Path
) -> None:
    dump = tmp_path / "shop.sql"
    dump.write_text(text)
    with pytest.raises(ServerError, match=rf"shop\.sql:{place}") as refused:
        load(dump, "of_hints")
    assert hint in (refused.value.hint or "")


def test_a_file_of_queries_is_no_dump(mariadb: Instance, tmp_path: Path) -> None:
    dump = tmp_path / "queries.sql"
    dump.write_text("USE of_none;\nSELECT id FROM a;\n")
    loading = Loading(mariadb.build, OwnData(f"dump:{dump}", str(dump), "", None), Interrupts())
    with pytest.raises(InputError, match="makes no table") as refused:
        loading.carry_out(mariadb, structure_only=True)
    assert "[workload] use" in (refused.value.hint or "")
    with closing(mariadb.connect()) as connection, connection.cursor() as cursor:
        cursor.execute("DROP DATABASE of_none")
