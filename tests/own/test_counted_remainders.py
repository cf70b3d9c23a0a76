"""What a reader of a source leaves out is counted, whatever the form."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from assay.base.errors import InputError
from first_files import SCHEMA, of_text

READ = "SELECT credit FROM customers WHERE id = 7"
SLOW = f"# User@Host: app[app] @ web []  Id: 8\n# Query_time: 0.5\nuse shop;\n{READ};\n"
LINES = SLOW.splitlines()
GENERAL = f"260105 12:00:00\t    8 Query\tUSE shop\n\t\t    8 Query\t{READ}\n"
NOTE = "2026-01-05T12:00:00.000000Z 0 [Warning] [MY-010055] [Server] Access denied\n"


def _rows(*rows: object) -> str:
    return "".join(f"{json.dumps(row)}\n" for row in rows)


COUNTED = {
    "events without a text": (
        _rows({"message": None}, {"pod": "db"}, {"message": SLOW}),
        {"events without a text": 2},
    ),
    "lines that are no JSON": (
        f"{_rows({'message': SLOW})}panic: x\n{_rows({'message': SLOW})}" + '{"message": "# User@Ho',
        {"lines that are not JSON": 1, "cut or not closed": 1},
    ),
    "other programs in one stream": (
        "".join(f"db-1  | {line}\nweb-1  | GET / 200\n" for line in LINES),
        {"lines of other programs": 4},
    ),
    "other programs in JSON": (
        _rows(*[{"pod": pod, "log": f"{line}\n"} for line in LINES for pod in ("db", "web-of-shop")][:-1]),
        {},
    ),
    "the end of a text that began elsewhere, slow": (f"FROM films;\n{SLOW}", {"cut or not closed": 1}),
    "the end of a text that began elsewhere": (f"FROM films\nLIMIT 1\n{GENERAL}", {"cut or not closed": 1}),
    "the head of an entry, slow": (f"{SLOW}# User@Host: app[a", {"cut or not closed": 1}),
    "an entry without a text": (
        SLOW + "# Query_time: 1\nSET timestamp=1;\n/* */\n",
        {"without a statement": 1},
    ),
    "messages of the server": (f"{NOTE}{GENERAL}{NOTE}2026-01-05 12:00:00 0 [Note] ready\n", {}),
    "records of an audit that are cut": (
        f'<AUDIT_RECORD NAME="Query" CONNECTION_ID="8" SQLTEXT="{READ}" DB="shop"/>\n<AUDIT_RECORD NAME="Q',
        {"cut or not closed": 1},
    ),
    "rows of other tables, and rows that are no values": (
        "INSERT INTO slow_log (query_time, db, sql_text) VALUES "
        f"('00:00:01', 'shop', '{READ}'), ('00:00:01', 'shop', '{READ}');\n"
        f"INSERT INTO slow_log (query_time, db, sql_text) VALUES (NOW(), CONCAT('a', 'b'), '{READ}');\n"
        "INSERT INTO other VALUES (1);\n",
        {"rows of other tables": 1, "rows with expressions in place of values": 1},
    ),
}


@pytest.mark.parametrize("name", COUNTED)
def test_what_is_left_out_is_counted(name: str, tmp_path: Path) -> None:
    text, left_out = COUNTED[name]
    found = of_text(tmp_path, text, schema=SCHEMA)
    assert (found.left_out, found.kinds, found.database) == (left_out, 1, "shop")


def test_several_texts_in_a_row_are_several_statements(tmp_path: Path) -> None:
    rows = f"query_time,db,thread_id,sql_text\n00:00:02,shop,8,BEGIN; {READ}; COMMIT\n"
    found = of_text(tmp_path, rows, schema=SCHEMA)
    assert (found.statements, found.transactions, found.left_out) == (3, 1, {})


def test_json_that_is_not_whole_says_where(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"source:3: is not whole JSON: Expecting"):
        of_text(tmp_path, '[{"message": "a"},\n {"message": "b"},\n {"message" 7}]\n')


def test_a_schema_that_is_cut_says_so(tmp_path: Path) -> None:
    schema = tmp_path / "cut.sql"
    schema.write_text(
        "CREATE TABLE films (id INT PRIMARY KEY);\nCREATE TABLE b AS SELECT 1;\nINSERT INTO b VALUES ('x\n"
    )
    found = of_text(tmp_path, "SELECT 1 FROM films WHERE id = 7;", schema=schema)
    assert len(found.notes) == 2
    assert "from line 3 on" in found.notes[0]
    assert "no columns are named" in found.notes[1]
