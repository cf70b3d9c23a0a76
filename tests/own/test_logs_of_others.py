"""Logs in the forms in which people have them: exported, wrapped by services, written by audit plugins and
proxies. Each form below holds the same conversation: a transaction, a read, the end of the session.
"""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from assay.experiments.own import FirstFile
from first_files import CUSTOMER, SCHEMA, body, of_text

SENT = [
    "BEGIN",
    "UPDATE customers SET name = 'a,\"b' WHERE id = 7",
    "COMMIT",
    "SELECT credit FROM customers WHERE id = 7",
]
TIME = "2026-01-05 12:00:0{}"
STAMP = "2026-01-05T12:00:0{}.000000Z"


def _objects(**row: str) -> list[dict[str, object]]:
    """The conversation as rows, with {sql} and {n} in values filled in."""
    return [{name: value.format(n=n, sql=sql) for name, value in row.items()} for n, sql in enumerate(SENT)]


def _lines(rows: list[dict[str, object]]) -> str:
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def _csv(rows: list[dict[str, object]], **how: str) -> str:
    text = io.StringIO()
    written = csv.DictWriter(text, list(rows[0]), **how)  # type: ignore[arg-type]
    written.writeheader()
    written.writerows(rows)
    return text.getvalue()


def _slow_log(sql: str, n: int) -> str:
    return (
        f"# Time: {STAMP.format(n)}\n# User@Host: app[app] @ web [10.0.0.5]  Id:     8\n"
        f"# Query_time: 0.5  Lock_time: 0 Rows_sent: 1  Rows_examined: 1\n"
        f"use shop;\nSET timestamp=1;\n{sql};\n"
    )


EVENTS = [{"timestamp": 10 + n, "message": _slow_log(sql, n)} for n, sql in enumerate(SENT)]
LINES = [line for one in EVENTS for line in str(one["message"]).splitlines()]
SLOW_ROW = {
    "start_time": "2026-01-05 12:00:00",
    "query_time": "00:00:01.5",
    "db": "shop",
    "sql_text": "{sql}",
    "thread_id": "8",
}
SERVER_CSV = [
    f'"{TIME.format(n)}.000000","app[app] @ web []","00:00:01.500000","00:00:00",1,1,"shop",0,0,1,'
    + '"{}",8'.format(sql.replace('"', r"\""))
    for n, sql in enumerate(SENT)
]
OUTFILE = [
    f"{TIME.format(n)}\tapp[app] @ web []\t8\t1\tQuery\t{sql}" for n, sql in enumerate(["USE shop", *SENT])
]
AUDIT = [
    {"audit_record": {"name": "Query", "connection_id": "8", "status": 0, "sqltext": sql, "db": "shop"}}
    for sql in SENT
]
AUDIT_OLD = "".join(
    f'<AUDIT_RECORD\n  NAME="Query"\n  RECORD="{n}_2026"\n  CONNECTION_ID="8"\n  STATUS="0"\n'
    f'  SQLTEXT="{sql.replace(chr(34), "&quot;")}"\n  DB="shop"\n/>\n'
    for n, sql in enumerate(SENT)
)
AUDIT_NEW = "".join(
    f"<AUDIT_RECORD>\n<NAME>Query</NAME><CONNECTION_ID>8</CONNECTION_ID><STATUS>0</STATUS>\n"
    f"<SQLTEXT>{sql}</SQLTEXT><DB>shop</DB></AUDIT_RECORD>\n"
    for sql in SENT
)
FILTERED = [
    {
        "class": kind,
        "event": event,
        "connection_id": 8,
        f"{kind}_data": {"sql_command": "x", "query": sql, **more},
    }
    for sql in SENT
    for kind, event, more in (
        ("general", "log", {"command": "Query", "status": 0}),
        ("query", "query_start", {"status": 0}),
        ("query", "query_status_end", {"status": 0}),
    )
]

FORMS = {
    "slow log, CSV of Workbench": ("table slow log", _csv(_objects(**SLOW_ROW))),
    "slow log, CSV with semicolons": ("table slow log", _csv(_objects(**SLOW_ROW), delimiter=";")),
    "slow log, file of the CSV engine": ("table slow log", "\n".join(SERVER_CSV)),
    "slow log, as \\G": (
        "table slow log",
        "".join(
            f"*************************** {n}. row ***************************\n"
            f"query_time: 00:00:01\n        db: shop\n  sql_text: {sql}\n thread_id: 8\n"
            for n, sql in enumerate(SENT, 1)
        ),
    ),
    "slow log of Log Analytics": (
        "table slow log",
        _csv(_objects(query_time_d="1.5", db_s="shop", sql_text_s="{sql}", thread_id_s="8")),
    ),
    "slow log of Azure, JSON": (
        "table slow log",
        _lines([{"category": "MySqlSlowLogs", "properties": row} for row in _objects(**SLOW_ROW)]),
    ),
    "slow log, JSON of phpMyAdmin": (
        "table slow log",
        json.dumps([{"type": "header"}, {"type": "table", "name": "slow_log", "data": _objects(**SLOW_ROW)}]),
    ),
    "general log, INTO OUTFILE": ("table general log", "\n".join(OUTFILE) + "\n"),
    "general log, boxed": (
        "table general log",
        f"+-----------+--------------+{'-' * 52}+\n| thread_id | command_type | {'argument':50} |\n"
        f"+-----------+--------------+{'-' * 52}+\n"
        + "".join(f"|         8 | Query        | {sql:50} |\n" for sql in ["USE shop", *SENT])
        + f"+-----------+--------------+{'-' * 52}+\n",
    ),
    "CloudWatch, JSON": ("slow log", json.dumps({"events": EVENTS, "nextForwardToken": "f/1"})),
    "CloudWatch, CSV, last first": (
        "slow log",
        _csv([{"@timestamp": one["timestamp"], "@message": one["message"]} for one in EVENTS[::-1]]),
    ),
    "Cloud Logging, a line each": (
        "slow log",
        _lines([{"textPayload": line, "timestamp": "2026", "severity": "INFO"} for line in LINES]),
    ),
    "RDS, a portion": ("slow log", json.dumps({"LogFileData": "\n".join(LINES), "Marker": "0"})),
    "a container's log": ("slow log", _lines([{"log": f"{line}\n", "stream": "stderr"} for line in LINES])),
    "docker compose": ("slow log", "".join(f"db-1  | {line}\n" for line in LINES)),
    "syslog": ("slow log", "".join(f"Jan  5 12:00:00 web mysqld[7]: {line}\n" for line in LINES)),
    "what a terminal shows": (
        "file of statements",
        "".join(
            f"mysql> {sql.replace(' WHERE', chr(10) + '    -> WHERE')};\nQuery OK, 0 rows affected\n\n"
            for sql in ["USE shop", *SENT]
        ),
    ),
    "what a window shows": (
        "file of statements",
        "C:\\mysql\\bin>mysql -u root\nWelcome.  Commands end with ; or \\g.\n\n"
        + "".join(
            f"MariaDB [shop]> {sql};\n+----+\n| id |\n+----+\n1 row in set (0.001 sec)\n\n"
            for sql in ["use shop", *SENT]
        ),
    ),
    "audit plugin in syslog": (
        "server audit log",
        "".join(
            "Jan  5 12:00:00 web mysql-server_auditing: db1,app,10.0.0.5,8,1,QUERY,shop,'{}',0\n".format(
                sql.replace("'", r"\'")
            )
            for sql in SENT
        ),
    ),
    "audit of Percona, JSON": ("audit log", _lines(AUDIT)),
    "audit of Percona, OLD": ("audit log", f'<?xml version="1.0" encoding="utf-8"?>\n<AUDIT>\n{AUDIT_OLD}'),
    "audit of Percona, NEW": ("audit log", f'<?xml version="1.0"?><AUDIT>{AUDIT_NEW}</AUDIT>'),
    "audit of Percona, CSV": (
        "audit log",
        "".join(
            '"Query","{}_2026-01-05","x","update","8",0,"{}","app","web","","","shop"\n'.format(
                n, sql.replace('"', '""')
            )
            for n, sql in enumerate(SENT)
        ),
    ),
    "audit filter, JSON": ("audit log", json.dumps(FILTERED)),
    "ProxySQL": (
        "ProxySQL query log",
        _lines(
            _objects(duration_us="100", event="COM_QUERY", query="{sql}", schemaname="shop", thread_id="8")
        ),
    ),
    "history of performance_schema": (
        "statement history log",
        _csv(
            _objects(
                THREAD_ID="8",
                TIMER_START="{n}",
                TIMER_WAIT="5000000",
                SQL_TEXT="{sql}",
                CURRENT_SCHEMA="shop",
            )[::-1]
        ),
    ),
}


COLLECTED = {
    "Loki, its answer": (
        "slow log",
        json.dumps(
            {
                "status": "success",
                "data": {
                    "resultType": "streams",
                    "result": [
                        {
                            "stream": {"app": "db"},
                            "values": [[str(99 - n), line] for n, line in enumerate(LINES[::-1])],
                        }
                    ],
                },
            }
        ),
    ),
    "Loki, logcli": (
        "slow log",
        _lines([{"labels": {"app": "db"}, "line": line, "timestamp": "2026"} for line in LINES]),
    ),
    "Filebeat": (
        "slow log",
        _lines(
            [
                {
                    "@timestamp": "2026",
                    "log": {"offset": 0, "file": {"path": "/log"}},
                    "message": one["message"],
                }
                for one in EVENTS
            ]
        ),
    ),
    "Filebeat, parsed": (
        "parsed slow log",
        _lines(
            [
                {
                    "event": {"duration": 500_000_000},
                    "mysql": {"thread_id": 8, "slowlog": {"schema": "shop", "query": sql}},
                }
                for sql in SENT
            ]
        ),
    ),
    "Fluentd, parsed": (
        "table slow log",
        _lines([{"user": "a", "thread_id": 8, "query_time": 0.5, "sql": sql, "db": "shop"} for sql in SENT]),
    ),
    "CloudWatch, delivered": (
        "slow log",
        "".join(json.dumps({"messageType": "DATA_MESSAGE", "logEvents": [one]}) for one in EVENTS),
    ),
    "a journal, JSON": (
        "slow log",
        _lines(
            [
                {"MESSAGE": line if n % 2 else list(line.encode()), "_SYSTEMD_UNIT": "db"}
                for n, line in enumerate(LINES)
            ]
        ),
    ),
    "a container of Kubernetes": (
        "slow log",
        "".join(
            f"{STAMP.format(1)} stderr P {line[:16]}\n{STAMP.format(1)} stderr F {line[16:]}\n"
            for line in LINES
        ),
    ),
    "general log in syslog": (
        "general log",
        "".join(
            f"Jan  5 12:00:00 web mysqld[7]: {STAMP.format(1)}#011    8 Query#011{sql}\n"
            for sql in ["USE shop", *SENT]
        ),
    ),
    "general log of kubectl": (
        "general log",
        "".join(f"[pod/db-0/mysql] {STAMP.format(1)}\t    8 Query\t{sql}\n" for sql in ["USE shop", *SENT]),
    ),
    "slow log, INSERT": (
        "table slow log",
        "CREATE TABLE `slow_2026` (`query_time` time, `db` text, `sql_text` mediumblob, `thread_id` int);\n"
        + "".join(
            f"INSERT INTO `slow_2026` VALUES ('00:00:01','shop',0x{sql.encode().hex()},8);\n" for sql in SENT
        ),
    ),
    "general log, INSERT": (
        "table general log",
        "LOCK TABLES `general_log` WRITE;\nINSERT INTO `general_log` VALUES "
        + ",".join(
            "('2026-01-05 12:00:00','app',8,1,'Query',_binary '{}')".format(sql.replace("'", "\\'"))
            for sql in ["USE shop", *SENT]
        )
        + ";\n",
    ),
    "slow log in a terminal of MySQL 8": (
        "table slow log",
        "mysql> SELECT * FROM mysql.slow_log\\G\n"
        + "".join(
            f"*************************** {n}. row ***************************\n"
            f"query_time: 00:00:01\n        db: shop\n  sql_text: 0x{sql.encode().hex()}\n thread_id: 8\n"
            for n, sql in enumerate(SENT, 1)
        )
        + "4 rows in set (0.00 sec)\n",
    ),
}
"""What collectors of logs and dumps make of logs."""


def _is_the_conversation(found: FirstFile) -> bool:
    return (found.statements, found.transactions, found.executions) == (4, 1, 2)


@pytest.mark.parametrize("name", [*FORMS, *COLLECTED])
def test_a_log_is_read_in_each_of_its_forms(name: str, tmp_path: Path) -> None:
    form, text = (FORMS | COLLECTED)[name]
    found = of_text(tmp_path, text, schema=SCHEMA)

    assert (found.form, found.left_out) == (form, {})
    assert _is_the_conversation(found)
    assert CUSTOMER[1] in body(found)
    assert "UPDATE customers SET name = 'a,\"b' WHERE id = :customers_id;" in body(found)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le"])
def test_a_log_may_be_in_utf_16(encoding: str, tmp_path: Path) -> None:
    for text in (FORMS["slow log, CSV of Workbench"][1], "\r\n".join(LINES)):
        assert _is_the_conversation(of_text(tmp_path, text.encode(encoding), schema=SCHEMA))


@pytest.mark.parametrize(
    "names", ["db,query,exec_count,total_latency", "schemaname,digest_text,count_star,sum_time"]
)
def test_kinds_that_others_have_counted_are_digests(names: str, tmp_path: Path) -> None:
    row = "shop,SELECT credit FROM customers WHERE id = ?,3,2000000"
    found = of_text(tmp_path, f"{names}\n{row}\n", schema=SCHEMA)
    assert (found.form, found.executions, found.database) == ("export of digests", 3, "shop")
    assert CUSTOMER[1] in body(found)


def test_statements_without_a_prompt_in_what_a_window_shows_are_counted(tmp_path: Path) -> None:
    window = "select 1 from a;\nmysql> SELECT id FROM t;\n1 row\nmysql> SELECT c FROM t;\n"
    found = of_text(tmp_path, window)
    why = "lines with a semicolon and no prompt of the client before"
    assert (found.left_out, found.executions) == ({why: 1}, 2)


def test_a_comment_that_quotes_a_prompt_leaves_a_file_of_statements(tmp_path: Path) -> None:
    found = of_text(tmp_path, "/*\nmysql> SELECT 1;\n*/\nSELECT id FROM t;\nSELECT c FROM t;\n")
    assert (found.left_out, found.executions) == ({}, 2)
