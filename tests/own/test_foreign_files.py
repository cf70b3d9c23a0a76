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


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Hibernate: select c.id from customers c where c.id=?\n", "log of an application (Hibernate)"),
        ("DEBUG a.B.c - ==>  Preparing: select 1 from t where id = ?\n", "log of an application (MyBatis)"),
        (
            "(0.001) SELECT id FROM t WHERE id = 1; args=(1,); alias=default\n",
            "log of an application (Django)",
        ),
        ('  User Load (0.5ms)  SELECT `u`.* FROM `u` WHERE `u`.`id` = ?  [["id", 1]]\n', "(Rails)"),
        ("[2026-01-05 12:00:00] local.DEBUG: select * from `u` where `id` = ? [1]\n", "(Laravel or Monolog)"),
        ("Executing (default): SELECT 1+1 AS result;\n", "(Sequelize)"),
        (
            "INFO sqlalchemy.engine.Engine SELECT 1\nINFO sqlalchemy.engine.Engine [generated in 1s] {}\n",
            "(SQLAlchemy)",
        ),
        ("1543|10|statement|connection 0|url|select ?|select 1\n", "(P6Spy)"),
        ("2026-01-05T12:00:00.0Z 0 [System] [MY-010116] [Server] starting as process 1\n", "the error log"),
        ("2026-01-05 12:00:00 UTC [1] LOG:  statement: SELECT 1\n", "a log of PostgreSQL"),
        (
            "2026-01-05 12:00:00,835 INFO [main] - 7ms INSERT INTO t VALUES (?); Values: 1\n",
            "is a log, but none",
        ),
        ("# at 4\n### INSERT INTO `shop`.`t`\n### SET\n###   @1=1\n", "a binary log of rows"),
        (
            "Id\tUser\tHost\tdb\tCommand\tTime\tState\tInfo\n1\ta\tb\tshop\tQuery\t0\t\tSELECT 1\n",
            "a list of processes",
        ),
        ("id,select_type,table,possible_keys,rows\n1,SIMPLE,t,,3\n", "a plan (EXPLAIN)"),
        ("id,name\n1,a\n", "is a table without statements"),
        (
            "\n# Profile\n# Rank Query ID           Response time Calls\n#    1 0xF9 0.1 1\n",
            "is the profile of",
        ),
        ('{"a": [1, 2]}', "is JSON without statements"),
        (
            '<?xml version="1.0"?>\n<!DOCTYPE mapper PUBLIC "x">\n<mapper namespace="a"/>',
            "a mapper of MyBatis",
        ),
        ('<?xml version="1.0"?>\n<mysqldump>', "is XML (mysqldump --xml)"),
        ("<!DOCTYPE html><html><body>403</body></html>", "a page of HTML"),
        ("\x00\x01\x02\x03\x04\x05\x06\x07table\x00\x00", "it is binary"),
    ],
)
def test_what_no_server_has_logged_is_named(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        of_text(tmp_path, text)
    assert message in refused.value.message


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("SELECT a FROM t WHERE b = #{b} AND c = 1", "with placeholders"),
        ("UPDATE t SET a = @a, b = (@c := 1) WHERE @c", "with a variable that other statements set (@a)"),
        ("SELECT a::Decimal FROM t", "in SQL of PostgreSQL (casts by ::)"),
        ("SELECT [a] FROM [dbo].[t]", "in SQL of SQL Server (names in brackets)"),
    ],
)
def test_statements_of_others_are_left_out_alone(statement: str, why: str, tmp_path: Path) -> None:
    found = of_text(tmp_path, f"{statement};\nSELECT 1 FROM t;\n")
    assert (found.left_out, found.executions) == ({why: 1}, 1)
