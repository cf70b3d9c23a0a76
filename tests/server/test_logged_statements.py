"""Statements in a general query log are told apart by what they are, not by their values."""

from __future__ import annotations

import pytest
from assay.system.server.plans import StatementLog, without_values


@pytest.mark.parametrize(
    ("statement", "shown"),
    [
        ("SELECT c FROM sbtest12 WHERE id=5", "SELECT c FROM sbtestN WHERE id=?"),
        (
            "UPDATE `sbtest1` SET c='it''s \\'5\\'', k = k+1 WHERE id = -7;",
            "UPDATE `sbtestN` SET c=?, k = k+? WHERE id = ?",
        ),
        (
            "SELECT a1, s_dist_01\n FROM  t WHERE x IN (1, 2,3) AND y = 0x1F",
            "SELECT a1, s_dist_01 FROM t WHERE x IN (?) AND y = ?",
        ),
        ('SELECT 1.5e3, "a (1, 2)", b.c2 FROM b', "SELECT ?, ?, b.c2 FROM b"),
        ("SELECT c FROM a2.t JOIN u3 USING (i)", "SELECT c FROM a2.t JOIN uN USING (i)"),
        ("INSERT INTO t (a, b) VALUES (1, 'x'), (2, 'y'),(3, '')", "INSERT INTO t (a, b) VALUES (?)"),
    ],
)
def test_values_are_question_marks(statement: str, shown: str) -> None:
    assert without_values(statement) == shown
    assert without_values(shown) == shown


def test_statements_of_the_busiest_connection() -> None:
    log = StatementLog(
        [
            (1, "SET NAMES utf8mb4"),
            (2, b"SELECT @@max_connections, (SELECT MAX(id) FROM sbtest1)"),
            (3, "START TRANSACTION"),
            (3, b"SELECT c FROM sbtest1 WHERE id=\xff'1'"),
            (3, "SELECT c FROM sbtest2 WHERE id='2'"),
            (3, "INSERT INTO t VALUES (1)"),
            (3, "insert into t select * from u"),
            (3, "DELETE FROM sbtest1 WHERE id=3"),
            (4, "SELECT name, value FROM assay_tpcc"),
            (5, "SELECT argument FROM mysql.general_log"),
        ]
    )
    assert [(one.statement, one.has_plan) for one in log.statements()] == [
        ("SELECT c FROM sbtestN WHERE id=\ufffd?", True),
        ("SELECT c FROM sbtestN WHERE id=?", True),
        ("insert into t select * from u", True),
        ("DELETE FROM sbtestN WHERE id=?", True),
        ("START TRANSACTION", False),
        ("INSERT INTO t VALUES (?)", False),
    ]
    assert StatementLog([]).statements() == []
