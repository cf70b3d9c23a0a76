"""Files of other tools are named by what they are, with what to give in their place."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.base.errors import InputError
from first_files import made, of_text

CAPTURE = "12:00:00.000001 IP 10.0.0.5.50000 > 10.0.0.6.3306: tcp 30\n\t0x0000:  4508 0054\n"


@pytest.mark.parametrize(
    ("name", "text", "message", "hint"),
    [
        ("a.tcl", "set x 1;\nSELECT 1;\n", "a script of Tcl, as HammerDB has", "TPC-C"),
        ("a.lua", "function event() end\n", "which is a workload as it is", 'use = "a.lua"'),
        ("a.JMX", "<jmeterTestPlan/>", "a test plan of JMeter", "give a log of the server"),
        ("a.js", "db.query('SELECT 1;');\n", "a program in JavaScript", "give a log of the server"),
        ("a.py", "SELECT = 1;\n", "is a program", "give a log of the server"),
        ("a.txt", CAPTURE, "packets as tcpdump prints them", "pt-query-digest --type tcpdump"),
        ("b.txt", f"2026-01-05 {CAPTURE}", "packets as tcpdump prints them", ""),
        ("c.txt", f"2026-01-05 {CAPTURE.replace('IP ', 'vlan 1, p 0, IP ')}", "as tcpdump prints them", ""),
        ("a.slt", "statement ok\nCREATE TABLE t (a INT)\n", "a test of sqllogictest", "semicolon"),
        ("b.slt", "query II rowsort\nSELECT 1, 2;\n----\n1 2\n", "a test of sqllogictest", ""),
        ("a.test", "--source include/x.inc\nSELECT 1;\n", "a test of mysql-test-run", "a log of the server"),
        ("b.test", "SELECT 1;\n-- error ER_DUP_ENTRY\nINSERT INTO t VALUES (1);\n", "mysql-test-run", ""),
        ("a.sql", "SELECT a FROM {{ ref('t') }};\n", "a template (Jinja, as dbt has)", "dbt compile"),
        ("b.sql", "{% set a = 1 %}\nSELECT a FROM t;\n", "a template (Jinja, as dbt has)", ""),
        (
            "a.tpl",
            "define YEAR = random(1998, 2002, uniform);\nSELECT 1;\n",
            "a template of dsqgen",
            "fill it",
        ),
        ("a.xml", "<?xml version='1.0'?>\n<plan/>", "is XML, and no SQL", "give a file of SQL"),
    ],
)
def test_a_file_of_another_tool_is_named(
    name: str, text: str, message: str, hint: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(InputError) as refused:
        made(path)
    assert message in refused.value.message
    assert hint in (refused.value.hint or "")


@pytest.mark.parametrize(
    "query",
    [
        "SELECT a FROM t WHERE b LIKE '{%' AND c = '{{x}}';",
        "-- Source: the error of the year\n-- let us enable_it\n-- error is one\nSELECT a FROM t;",
        "SELECT define, query FROM statement WHERE ok = 1;",
        "SELECT a FROM t -- connection pools\nWHERE b = 1;",
        "/* query I\n---- */ SELECT 1;",
    ],
)
def test_statements_that_look_like_them_are_read(query: str, tmp_path: Path) -> None:
    assert of_text(tmp_path, query).executions == 1
