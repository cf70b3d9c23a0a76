"""Sees which statements a server gets, by its general query log, and asks it how it carries them out."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from assay.base.errors import ServerError
from assay.system.server.connection import Connection

_LONGEST = 4000
"""Bytes of a statement: those with rows of data are longer, and have no plan."""
_MOST_ENTRIES = 20_000

_LITERAL = re.compile(
    r"""
      (?P<text> [xXbBnN]? ' (?: [^'\\] | \\. | '' )* ' | " (?: [^"\\] | \\. | "" )* " )
    | (?P<number> (?<![\w.`$]) -? (?: 0x[0-9A-Fa-f]+ | \d+ (?:\.\d+)? (?:[eE][+-]?\d+)? ) (?![\w`]) )
    """,
    re.VERBOSE | re.DOTALL,
)
_ROWS = re.compile(r"\(\?\)(?:\s*,\s*\(\?\))+")
_LIST = re.compile(r"\(\s*\?(?:\s*,\s*\?)+\s*\)")
_SPACE = re.compile(r"\s+")
_NUMBERED = re.compile(r"(?i)\b(FROM|JOIN|UPDATE|INTO)(\s+`?[A-Za-z_]\w*?)\d+\b(?!\.)")
_PLANNED = re.compile(r"(?i)\s*\(*\s*(SELECT|UPDATE|DELETE|WITH|(?:INSERT|REPLACE)\b.*\bSELECT)\b", re.DOTALL)
_OF_A_CLIENT = re.compile(r"@@|(?i:\b(?:information_schema|performance_schema|mysql)\.)")

_ENTRIES = (
    "SELECT thread_id, argument FROM mysql.general_log"
    f" WHERE command_type IN ('Execute', 'Query') AND LENGTH(argument) <= {_LONGEST} LIMIT {_MOST_ENTRIES}"
)


@dataclass(frozen=True)
class LoggedStatement:
    """A kind of statement that a server got: its text with `?` for values, the first as it came, and how
    often.
    """

    statement: str
    example: str
    count: int

    @property
    def has_plan(self) -> bool:
        """Whether the server has a way to rows for it: it has none for INSERT … VALUES, CALL or COMMIT."""
        return _PLANNED.match(self.example) is not None


@dataclass
class StatementLog:
    """The statements that a server got while its general query log was kept in a table."""

    entries: Sequence[tuple[Any, ...]] = field(default=())

    def statements(self) -> list[LoggedStatement]:
        """Returns those of the busiest connection: those that have a plan come first, each in the order in
        which they came.
        """
        by_thread: dict[Any, list[str]] = {}
        for thread, said in self.entries:
            text = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
            if not _OF_A_CLIENT.search(text):
                by_thread.setdefault(thread, []).append(text)
        examples: dict[str, str] = {}
        counts: Counter[str] = Counter()
        for text in max(by_thread.values(), key=len, default=[]):
            name = without_values(text)
            examples.setdefault(name, text)
            counts[name] += 1
        found = [LoggedStatement(name, example, counts[name]) for name, example in examples.items()]
        return sorted(found, key=lambda one: not one.has_plan)


def without_values(statement: str) -> str:
    """Returns a statement with `?` for every value, `(?)` for a list of them and for several rows of them,
    and no number at a table's name.
    """
    shown = _ROWS.sub("(?)", _LIST.sub("(?)", _LITERAL.sub("?", statement.strip().rstrip(";"))))
    return _NUMBERED.sub(r"\1\2N", _SPACE.sub(" ", shown))


@contextmanager
def statement_log(connection: Connection) -> Iterator[StatementLog]:
    """Keeps the general query log in its table within the block, and reads it at the end. Raises ServerError
    where the server does not let it.
    """
    log = StatementLog()
    output, is_on = connection.rows("SELECT @@GLOBAL.log_output, @@GLOBAL.general_log", columns=2)[0]
    for statement in (
        "SET GLOBAL general_log = 0",
        "SET GLOBAL log_output = 'TABLE'",
        "TRUNCATE TABLE mysql.general_log",
        "SET GLOBAL general_log = 1",
    ):
        connection.rows(statement, columns=0)
    try:
        yield log
    finally:
        connection.rows("SET GLOBAL general_log = 0", columns=0)
        log.entries = connection.rows(_ENTRIES, columns=2)
        connection.rows("TRUNCATE TABLE mysql.general_log", columns=0)
        connection.rows("SET GLOBAL log_output = %s", [str(output)], columns=0)
        if int(is_on):
            connection.rows("SET GLOBAL general_log = 1", columns=0)


def explained(connection: Connection, statement: str) -> list[dict[str, str | None]]:
    """Returns the rows of EXPLAIN by column, in small letters. Raises ServerError where the server cannot
    explain the statement.
    """
    try:
        # Without the word, MySQL 9 answers as `explain_format` says; MySQL 5.5 does not know the word.
        return _explained(connection, f"EXPLAIN FORMAT=TRADITIONAL {statement}")
    except ServerError as error:
        if error.code != _SYNTAX:
            raise
        return _explained(connection, f"EXPLAIN {statement}")


_SYNTAX = 1064


def used_key_parts(connection: Connection, statement: str) -> dict[tuple[str, str], tuple[str, ...]]:
    """Returns the columns of a key that a statement uses, by table and key; of a server without
    FORMAT=JSON, or one that leaves them out, nothing.
    """
    try:
        ((text,),) = connection.rows(f"EXPLAIN FORMAT=JSON {statement}", columns=1)
        found = json.loads(text)
    except (ServerError, ValueError):
        return {}
    parts: dict[tuple[str, str], tuple[str, ...]] = {}
    waiting: list[Any] = [found]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            used = node.get("used_key_parts")
            if isinstance(used, list) and isinstance(node.get("key"), str):
                parts.setdefault((str(node.get("table_name")), node["key"]), tuple(map(str, used)))
            waiting += reversed(node.values())
        elif isinstance(node, list):
            waiting += reversed(node)
    return parts


def _explained(connection: Connection, statement: str) -> list[dict[str, str | None]]:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        names = [str(column[0]).lower() for column in cursor.description or ()]
        rows = cursor.fetchall()
    return [
        {
            name: None if value is None else value.decode() if isinstance(value, bytes) else str(value)
            for name, value in zip(names, row, strict=True)
        }
        for row in rows
    ]
