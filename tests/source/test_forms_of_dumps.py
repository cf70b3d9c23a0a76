"""Forms of data of one's own are recognised by their files, ordered, and refused where they are not whole.
The files follow the manuals of mydumper and of MySQL Shell.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.design.plan import OwnData
from assay.measurement.source.dataset.forms.registry import form_of, parts_of
from assay.system.server import OF_SERVER
from dump_folders import MYDUMPER, SHELL, SHELL_OF_PARTITIONS, TABLE, folder

ROWS = "INSERT INTO a VALUES (1, 'x');\n"


def _own(path: Path, *, prefix: str = "dump:", database: str | None = None) -> OwnData:
    return OwnData(f"{prefix}{path}", str(path), "", database)


@pytest.mark.parametrize(
    ("form", "files", "order"),
    [
        (
            "mysqlsh",
            SHELL,
            "shop@a.sql shop@a@0.tsv shop@a@@1.tsv shop.sql shop@a.triggers.sql shop@v.pre.sql shop@v.sql",
        ),
        (
            "mysqlsh",
            SHELL_OF_PARTITIONS,
            "shop@a.sql shop@a@p0@@0.tsv shop@a@p1@0.tsv shop@a@p1@@1.tsv"
            " shop.sql shop@a.triggers.sql shop@v.pre.sql shop@v.sql",
        ),
        (
            "mydumper",
            MYDUMPER,
            "shop-schema-create.sql shop.a-schema.sql shop.a.00009.sql shop.a.00010.sql shop-schema-post.sql"
            " shop.v-schema-view.sql shop.a-schema-triggers.sql",
        ),
        (
            "csv",
            {"schema.sql": TABLE, "a.csv": "id,b\n1,x\n"},
            "schema.sql a.csv",
        ),
        (
            "csv",
            {
                "order-lines.sql": TABLE.replace("`a`", "`order-lines`"),
                "order-lines.txt": "1\tx\n",
                "README.txt": "",
            },
            "order-lines.sql order-lines.txt",
        ),
        (
            "folder",
            {"dump.sql": TABLE, "README.txt": "", "License-2.txt": ""},
            "dump.sql",
        ),
        (
            "folder",
            {
                "views.sql": "CREATE VIEW v AS SELECT 1;\n",
                "data10.sql": ROWS,
                "data9.sql": ROWS,
                "schema.sql": TABLE,
                "README": "",
            },
            "schema.sql data9.sql data10.sql views.sql",
        ),
        (
            "folder",
            {
                "answers.sql": "-- all of them\nSELECT * FROM a;\n",
                "daten.sql": "/*!40000 ALTER TABLE `a` DISABLE KEYS */;\n" + ROWS,
                "events.sql": TABLE.replace("`a`", "`events`"),
                "keys.sql": "ALTER TABLE a ADD KEY (b);\n",
                "lignes.sql": "DELETE FROM a;\n" + ROWS,
                "procedimientos.sql": "CREATE PROCEDURE p()\nBEGIN\n" + ROWS + "END;\n",
                "ta.sql": "USE shop;\ncreate table if not exists a (id INT);\n",
                "结构.sql": "DROP TABLE IF EXISTS b;\n" + TABLE.replace("`a`", "`b`"),
            },
            "events.sql ta.sql 结构.sql daten.sql lignes.sql keys.sql procedimientos.sql answers.sql",
        ),
        (
            "folder",
            {"01_users.sql": TABLE, "02_first.sql": ROWS, "V3__more.sql": TABLE.replace("`a`", "`b`")},
            "01_users.sql 02_first.sql V3__more.sql",
        ),
    ],
)
def test_a_folder_is_recognised_and_its_files_have_an_order(
    tmp_path: Path, form: str, files: Mapping[str, str], order: str
) -> None:
    own = _own(folder(tmp_path / "dump", files))

    assert form_of(own).name == form
    assert [file.name for file in parts_of(own).files] == order.split()


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({name: text for name, text in SHELL.items() if name != "@.done.json"}, "no @.done.json"),
        ({name: text for name, text in SHELL.items() if "@@" not in name}, "the last part of a"),
        (
            {name: text for name, text in SHELL_OF_PARTITIONS.items() if "@p0@" not in name},
            "lacks the rows of a: there is no shop@a@p0.tsv",
        ),
        ({**SHELL, "@.json": '{"schemas": ["shop", "bank"]}'}, "several databases: shop, bank"),
        ({"metadata.partial": "", **{k: v for k, v in MYDUMPER.items() if k != "metadata"}}, "broken off"),
        ({**MYDUMPER, "bank.b-schema.sql": ""}, "several databases: bank, shop"),
        ({"schema.sql": TABLE, "aa.csv": "1,x\n"}, 'no table is called aa; did you mean "a"'),
        ({"notes.md": ""}, "no dump of a known form"),
    ],
)
def test_what_is_not_whole_is_refused(tmp_path: Path, files: Mapping[str, str], words: str) -> None:
    with pytest.raises(InputError, match=words):
        parts_of(_own(folder(tmp_path / "dump", files)))


def test_files_of_sql_whose_heads_name_several_databases_are_those_of_one(tmp_path: Path) -> None:
    head = "-- MySQL dump\n-- Host: 10.0.0.5    Database: {}\n".format
    files = {"shop_a.sql": head("shop") + TABLE, "old_a.sql": head("old") + TABLE, "c.sql": TABLE}
    path = folder(tmp_path / "dump", files)

    with pytest.raises(InputError, match="several databases: old, shop") as refused:
        parts_of(_own(path))
    assert str(refused.value.hint).startswith('name the one to take: [dataset] database = "old" in a study')
    taken = parts_of(_own(path, database="SHOP"))
    assert ([file.name for file in taken.files], taken.database) == (["c.sql", "shop_a.sql"], "shop")
    assert taken.left_out == ("left out of dump: the files of other databases, old",)
    (path / "old_a.sql").write_text(head("old") + "USE shop;\n" + TABLE)  # the engine reads what USE says
    assert parts_of(_own(path)).database is None


@pytest.mark.parametrize("files", [SHELL, MYDUMPER])
def test_a_folder_of_one_database_has_no_other(tmp_path: Path, files: Mapping[str, str]) -> None:
    path = folder(tmp_path / "dump", files)

    assert parts_of(_own(path, database="SHOP")) == parts_of(_own(path))
    with pytest.raises(InputError, match="holds no database bank, but shop"):
        parts_of(_own(path, database="bank"))


def test_a_folder_of_folders_names_those_that_are_dumps(tmp_path: Path) -> None:
    folder(tmp_path / "all", {"notes.md": ""})
    folder(tmp_path / "all" / "shop", {"a.sql": TABLE})
    folder(tmp_path / "all" / "pictures", {"a.png": ""})

    with pytest.raises(InputError, match=r"holds folders of dumps: shop$"):
        parts_of(_own(tmp_path / "all"))


def test_engine_and_lab_know_the_same_databases_of_the_server() -> None:
    source = (Path(__file__).parents[2] / "crates/engine/src/data/dump/databases.rs").read_text()
    (listed,) = re.findall(r"const OF_SERVER: \[&str; \d+\] = \[(.*?)\];", source, re.S)

    assert set(re.findall(r'"(\w+)"', listed)) == OF_SERVER


LATE = "1,x\n" * 30_000
"""Rows of more bytes than a head has, which stand for ROWS below."""


@pytest.mark.parametrize(
    ("name", "text", "header", "escaped", "ends"),
    [
        ("a.csv", "ROWS2,\\N\n", False, "\\", "\n"),
        ("a.csv", 'ROWS2,"\\N, x"\n', False, "", "\n"),
        ("a.csv", '1,"x\r\ny"\nROWS', False, "", "\n"),
        ("a.csv", "id,b\n1,x\n", True, "", "\n"),
        ("a.csv", "1,x\r\n2,\\N\r\n", False, "\\", "\r\n"),
        ("a.tsv", "1\tx\n", False, "\\", "\n"),
        ("a.txt", "b\tid\nx\t1\n", True, "\\", "\n"),
    ],
)
def test_rows_say_their_dialect(
    tmp_path: Path, name: str, text: str, header: bool, escaped: str, ends: str
) -> None:
    own = _own(folder(tmp_path / "dump", {"schema.sql": TABLE, name: ""}))
    (tmp_path / "dump" / name).write_bytes(text.replace("ROWS", LATE).encode())

    rows = parts_of(own).files[1].rows

    assert rows is not None
    assert rows.charset == "utf8mb4"
    assert (rows.table, rows.header, rows.escaped, rows.lines_terminated) == ("a", header, escaped, ends)


def test_rows_beside_the_definition_of_their_table_are_in_its_character_sets(tmp_path: Path) -> None:
    """`mysqldump --tab` writes TABLE.sql and TABLE.txt."""
    json = TABLE.replace("`b` text", "`b` json").replace("`a`", "`b`")
    path = folder(tmp_path / "dump", {"a.sql": TABLE, "a.txt": "1\tx\n", "b.sql": json, "b.txt": "1\tx\n"})

    charsets = [file.rows.charset for file in parts_of(_own(path)).files if file.rows is not None]

    assert charsets == ["binary", "utf8mb4"]


def test_the_last_definition_of_a_long_schema_is_known(tmp_path: Path) -> None:
    schema = "".join(TABLE.replace("`a`", f"`t{number}`") for number in range(2000))
    own = _own(folder(tmp_path / "dump", {"schema.sql": schema, "t1999.csv": "b,id\nx,1\n"}))

    rows = parts_of(own).files[1].rows

    assert rows is not None
    assert [column.name for column in rows.columns] == ["b", "id"]


@pytest.mark.parametrize("name", ["a.csv.gz", "a.csv.xz", "a.csv.bz2", "a.csv.zst"])
def test_a_compressed_file_that_is_cut_is_named(tmp_path: Path, name: str) -> None:
    path = folder(tmp_path / "dump", {"schema.sql": TABLE, "a.csv": LATE})
    pack = {"gz": "gzip", "xz": "xz", "bz2": "bzip2", "zst": "zstd"}[name.rpartition(".")[2]]
    packed = subprocess.run([pack, "-c"], input=os.urandom(200_000), capture_output=True, check=True).stdout
    (path / "a.csv").unlink()
    (path / name).write_bytes(packed[: len(packed) // 2])

    with pytest.raises(InputError, match=rf"cannot read .*{name}: it is damaged or cut"):
        parts_of(_own(path))
