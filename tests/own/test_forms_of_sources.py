"""The forms in which sources of a first file come: folders of dumps, logs in tables, compressed files."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.experiments.own import Source, first_file
from assay.experiments.own.one_a_line import statements_in_lines
from assay.experiments.own.whole_file import WholeFile
from dump_folders import MYDUMPER, folder
from first_files import CUSTOMER, SCHEMA, body, of_text
from packings import PACKINGS, zipped
from test_digest_reports import DUMPSLOW
from test_digest_reports import TEXT as REPORT


def test_tables_may_be_in_the_folder_of_a_dump(tmp_path: Path) -> None:
    queries = tmp_path / "queries.sql"
    queries.write_text("SELECT b FROM a WHERE id = 7;")

    found = first_file(
        Source(str(queries), folder(tmp_path / "dump", MYDUMPER)), tmp_path / "own.sql", with_values=False
    )

    assert "-- @let a_id = column(a.id)" in body(found)
    assert found.data is not None
    assert (found.data.name, found.data.is_text) == ("dump", False)


SLOW_TABLE = """start_time\tuser_host\tquery_time\tdb\tsql_text\tthread_id
2026-01-05 12:00:00\troot\t00:01:01.500000\tshop\tSELECT credit\\nFROM customers WHERE id = 7\t8
2026-01-05 12:00:01\troot\t00:00:01\tshop\tadministrator command: Quit\t8
"""
GENERAL_TABLE = """event_time,user_host,thread_id,server_id,command_type,argument
2026-01-05 12:00:00,root,8,1,Connect,root@localhost on shop using Socket
2026-01-05 12:00:00,root,8,1,Query,BEGIN
2026-01-05 12:00:00,root,8,1,Query,"SELECT credit FROM customers
WHERE id = 7"
2026-01-05 12:00:00,root,8,1,Query,COMMIT
2026-01-05 12:00:00,root,8,1,Quit,
"""


AUDIT = r"""20260105 12:00:00,db1,app,10.0.0.5,8,0,CONNECT,shop,,0
20260105 12:00:00,db1,app,10.0.0.5,8,1,QUERY,shop,'BEGIN',0
20260105 12:00:00,db1,app,10.0.0.5,8,2,READ,shop,customers,
20260105 12:00:00,db1,app,10.0.0.5,8,2,QUERY,shop,'SELECT credit\nFROM customers WHERE id = 7, \'x\'',1064
20260105 12:00:00,db1,app,10.0.0.5,8,2,QUERY,shop,'SELECT credit\nFROM customers WHERE id = 7',0
1767614401000000,db1,app,10.0.0.5,8,3,QUERY,shop,'UPDATE customers SET name = \'a,b\' WHERE id = 7',0,,
20260105 12:00:01,db1,app,10.0.0.5,8,4,QUERY,shop,'COMMIT',0
20260105 12:00:01,db1,app,10.0.0.5,8,0,DISCONNECT,,,0
20260105 12:00:02,db1,app,10.0.0.5,9,5,QUERY,shop,'SELECT cred
"""


def test_the_log_of_the_audit_plugin_is_a_log(tmp_path: Path) -> None:
    found = of_text(tmp_path, AUDIT, schema=SCHEMA)

    assert (found.form, found.database, found.transactions) == ("server audit log", "shop", 1)
    lines = body(found)
    assert CUSTOMER[1] in lines
    assert "UPDATE customers SET name = 'a,b' WHERE id = :customers_id;" in lines
    assert found.left_out == {"failed, as the log says": 1, "cut or not closed": 1}


@pytest.mark.parametrize(
    ("export", "form", "transactions"),
    [(SLOW_TABLE, "table slow log", 0), (GENERAL_TABLE, "table general log", 1)],
)
def test_logs_in_tables_are_logs(export: str, form: str, transactions: int, tmp_path: Path) -> None:
    found = of_text(tmp_path, export, schema=SCHEMA)

    assert (found.form, found.database, found.transactions) == (form, "shop", transactions)
    assert CUSTOMER[1] in body(found)
    assert not found.left_out

    with pytest.raises(InputError, match="row 1: QUERY_TIME must be a time, not 'long'"):
        of_text(tmp_path, SLOW_TABLE.replace("00:01:01.500000", "long"))


@pytest.mark.parametrize("ending", PACKINGS)
def test_what_is_compressed_is_read(ending: str, tmp_path: Path) -> None:
    pack = PACKINGS[ending]
    dump, queries, log, cut = (tmp_path / f"{name}{ending}" for name in ("dump", "queries", "log", "cut"))
    dump.write_bytes(pack(SCHEMA.read_bytes() + b"\nINSERT INTO customers (id) VALUES (1);\n"))
    queries.write_bytes(pack(b"SELECT credit FROM customers WHERE id = 7;"))
    log.write_bytes(pack(AUDIT.encode()))
    cut.write_bytes(log.read_bytes()[:-9])

    found = first_file(Source(str(queries), dump), tmp_path / "own.sql", with_values=False)

    assert CUSTOMER[0] in body(found)
    assert found.data is not None
    assert (found.data.name, found.data.is_text) == (dump.name, False)
    assert first_file(Source(str(log), SCHEMA), tmp_path / "own.sql", with_values=True).transactions == 1
    with pytest.raises(InputError, match=r"cut\.\w+: it is damaged or cut"):
        first_file(Source(str(cut)), tmp_path / "own.sql", with_values=True)


def test_an_archive_of_several_files_is_named_by_them(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"is an archive \(zip\) of 2 files: a\.log, b\.log") as refused:
        of_text(tmp_path, zipped(b"SELECT 1;", ["a.log", "b.log"]))
    assert refused.value.hint == "unpack it, and name what is in it"


def test_statements_may_have_a_line_each(tmp_path: Path) -> None:
    queries = (
        "-- of the shop\r\n"
        "use shop\r\n"
        "/* it's by an ORM; */ SELECT credit FROM customers /* ( */ WHERE id = 7\r\n"
        "/* no statement */\r\n"
        "WITH c AS (SELECT id FROM customers) SELECT count(*) FROM c WHERE (id > 7);\r\n"
        "UPDATE customers SET name = 'it''s; (' WHERE id = 9"
    )
    found = of_text(tmp_path, queries, schema=SCHEMA)

    assert (found.form, found.executions) == ("file of statements, one in a line", 3)
    assert found.database == "shop"
    assert CUSTOMER[1] in body(found)

    wrong = of_text(tmp_path, f"{queries}\nSELECT id FROM gone WHERE @x = 8", schema=SCHEMA)
    assert wrong.executions + sum(wrong.left_out.values()) == 4


@pytest.mark.parametrize(
    "query",
    [
        "SELECT credit FROM customers\nWHERE id = 7",
        "SELECT 1\nSELECT credit FROM customers WHERE id = 7;",
        "SELECT id FROM customers UNION ALL\nSELECT id FROM films",
        "WITH c AS (SELECT id FROM customers)\nSELECT id FROM c",
        "INSERT INTO customers (id)\nSELECT id FROM films",
        "SELECT id FROM customers WHERE id IN (\nSELECT id FROM films)",
        "SELECT 'a\nSELECT b' FROM customers",
        "DELETE FROM customers",
        "DELETE FROM customers;\nDELETE FROM films",
        pytest.param(2 * f"SELECT {'(' * 100_000}1{')' * 100_000}\n", id="deep"),
    ],
)
def test_a_statement_of_several_lines_is_one(query: str, tmp_path: Path) -> None:
    path = tmp_path / "queries.sql"
    path.write_text(query)
    assert statements_in_lines(WholeFile(path)) is None


@pytest.mark.parametrize("source", [SLOW_TABLE, GENERAL_TABLE, AUDIT, DUMPSLOW, REPORT])
def test_every_form_is_known_below_its_packing(source: str, tmp_path: Path) -> None:
    plain, packed = tmp_path / "log", tmp_path / "log.gz"
    plain.write_text(f"\ufeff{source}")
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    first, again = (
        first_file(Source(str(path), SCHEMA), tmp_path / "own.sql", with_values=True)
        for path in (plain, packed)
    )

    assert (again.form, again.executions, again.left_out) == (first.form, first.executions, first.left_out)
    assert again.form != "file of statements"


@pytest.mark.parametrize(
    "export",
    [
        "query_time,sql_text\n00:00:01,SELECT 1\n00:00:01\n",
        "query_time\tsql_text\n00:00:01\tSELECT 1\n00:00:01\tSELECT\t2\n",
        '[{"query_time": "00:00:01", "sql_text": "SELECT 1"}, 7]',
    ],
)
def test_a_row_that_is_not_whole_is_named(export: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="row 2"):
        of_text(tmp_path, export)


def test_a_folder_has_a_query_in_each_file(tmp_path: Path) -> None:
    queries = tmp_path / "queries"
    queries.mkdir()
    (queries / "q10.sql.gz").write_bytes(gzip.compress(b"SELECT count(*) FROM films -- no semicolon"))
    (queries / "q2.sql").write_bytes(
        "\ufeffUSE shop;\nSELECT credit FROM customers WHERE id = 7".encode("utf-16")
    )
    (queries / "readme.txt").write_text("it's no SQL")

    found = first_file(Source(str(queries), SCHEMA), tmp_path / "own.sql", with_values=True)

    others = {"files that do not end with .sql, and folders": 1}
    assert (found.form, found.executions, found.left_out) == ("folder of files of statements", 2, others)
    assert {"-- @transaction q2 weight=1", "-- @transaction q10 weight=1", *CUSTOMER} <= set(body(found))
    with pytest.raises(InputError, match="is a folder without a file of statements"):
        first_file(Source(str(tmp_path / "queries" / ".."), SCHEMA), tmp_path / "own.sql", with_values=True)
