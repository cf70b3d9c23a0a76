"""Logs in which tables are made, among them the text of a binary log: what was sent to these tables stays."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.base.errors import InputError
from first_files import body, of_text

MADE = [
    "CREATE TABLE t (id INT PRIMARY KEY, a INT)",
    "INSERT INTO t VALUES (1, 2)",
    "SELECT 1 + 1",
    "UPDATE t SET a = 3 WHERE id = 1",
    "USE other",
    "CREATE TABLE u (id INT PRIMARY KEY)",
    "DROP TABLE u",
]


def slow(sent: list[str]) -> str:
    head = "# User@Host: a[a] @ b []  Id: 1\n# Query_time: 0.5\n"
    rest = "".join(f"{head}{one};\n" for one in sent).replace(f"USE other;\n{head}", "use other;\n")
    return f"{head}use shop;\nSELECT 1 FROM t;\n{rest}"


def general(sent: list[str]) -> str:
    lines = ["Init DB\tshop", "Query\tSELECT 1 FROM t", *(f"Query\t{one}" for one in sent)]
    return "".join(f"\t\t    1 {one}\n" for one in lines)


def binary(sent: list[str]) -> str:
    event = "# at 4\n#260105 12:00:00 server id 1  end_log_pos 9 CRC32 0x0 \tQuery\tthread_id=1\n"
    rest = "".join(f"{event}{one}/*!*/;\n" for one in sent)
    return (
        f"DELIMITER /*!*/;\n{event}use `shop`/*!*/;\nSET TIMESTAMP=1/*!*/;\n"
        "SET @@session.sql_auto_is_null=0, @@session.autocommit=1/*!*/;\n/*!\\C utf8mb4 *//*!*/;\n"
        f"SELECT 1 FROM t/*!*/;\n{rest}"
        "DELIMITER ;\n# End of log file\n"
    )


LOGS = {"slow log": slow, "general log": general, "binary log": binary}


@pytest.mark.parametrize("form", LOGS)
def test_statements_stay_though_the_log_makes_their_table(form: str, tmp_path: Path) -> None:
    found = of_text(tmp_path, LOGS[form](MADE))

    assert (found.form, found.executions, found.transactions, found.database) == (form, 4, 0, "shop")
    assert "SELECT 1 + 1;" in body(found)
    assert "-- @let t_id = seq(t.id)" in body(found)  # the log has said that it is a key
    left_out = {name: count for name, count in found.left_out.items() if name != "SET"}
    assert left_out == {"DROP": 1}


@pytest.mark.parametrize("form", ["slow log", "general log", "binary log"])
def test_a_log_of_tables_alone_is_no_schema(form: str, tmp_path: Path) -> None:
    text = LOGS[form](MADE[:1]).replace("SELECT 1 FROM t", "SET @a = 1")
    with pytest.raises(InputError, match=rf"read as a {form}\)"):
        of_text(tmp_path, text)


def test_rows_in_place_of_statements_are_counted(tmp_path: Path) -> None:
    rows = "### INSERT INTO `shop`.`t`\n### SET\n###   @1=1\n### UPDATE `shop`.`t`\n### WHERE\n"
    found = of_text(tmp_path, binary(MADE).replace("# End", f"{rows}# End"))
    assert found.left_out["changes of rows, which have no statement (binlog_format = ROW)"] == 2
    assert "a binary log has only what writes" in found.pages.text
