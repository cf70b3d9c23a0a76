"""Reads logs whose entries are rows: exports of `mysql.slow_log`, `mysql.general_log` and the history of
performance_schema, and ProxySQL's log (manuals, "Selecting General Query Log and Slow Query Log Output
Destinations", "The events_statements_history_long Table", "Query Logging").
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from assay.base.decoding import whole_number
from assay.base.errors import InputError
from assay.experiments.own.exports import Export
from assay.experiments.own.reading import statements_of_texts
from assay.experiments.own.statements import ReadStatement

_TIME = re.compile(r"(\d+):(\d\d):(\d\d(?:\.\d+)?)")
_SECONDS = re.compile(r"\d+(?:\.\d+)?(?:[eE]-?\d+)?")
_USE = re.compile(r"\s*USE\s+(`[^`]+`|\S+?)\s*;?\s*", re.I)
_ON = re.compile(r" on (\S+)")
_TEXTS = ("Query", "Execute")
_COMMAND = "administrator command: "
_HEX = re.compile(r"0x((?:[0-9A-Fa-f]{2})+)")
_BASE64 = re.compile(r"base64:type\d+:([A-Za-z0-9+/=\s]*)")


@dataclass(frozen=True)
class Entry:
    """A row of a log: a text that a client sent, or the `command` in place of one."""

    line: int
    text: str
    session: int | None
    database: str | None = None
    seconds: float | None = None
    command: str | None = None
    error: int | None = None


def log_table_of(export: Export) -> tuple[str, Iterator[ReadStatement]] | None:
    """Returns the form of an exported log and its statements; None for any other file. Raises InputError for
    what is no such row.
    """
    for form, names, read in _FORMS:
        if export.has(*names):
            return form, statements_of_entries(list(read(export.file.path, export.rows)))
    return None


def _of_slow(path: Path, rows: Sequence[dict[str, Any]]) -> Iterator[Entry]:
    for number, row in enumerate(rows, start=1):
        said = str(row.get("QUERY_TIME") or "")
        if (time := _TIME.match(said)) is not None:
            seconds = int(time[1]) * 3600 + int(time[2]) * 60 + float(time[3])
        elif _SECONDS.fullmatch(said):
            seconds = float(said)
        else:
            raise InputError(
                f"{path}: row {number}: QUERY_TIME must be a time, not {row.get('QUERY_TIME')!r}"
            )
        text = _sent(row, "SQL_TEXT", "SQL", "QUERY")
        command = text.removeprefix(_COMMAND).rstrip(";") if text.startswith(_COMMAND) else None
        yield Entry(number, text, _session(row), str(row.get("DB") or "") or None, seconds, command)


def _of_general(path: Path, rows: Sequence[dict[str, Any]]) -> Iterator[Entry]:
    databases: dict[int | None, str | None] = {}
    for number, row in enumerate(rows, start=1):
        session, command = _session(row), str(row.get("COMMAND_TYPE") or "")
        text = _sent(row, "ARGUMENT")
        if (used := _USE.fullmatch(text)) is not None and command in _TEXTS:
            command, text = "Init DB", used[1]
        if command == "Init DB":
            databases[session] = text.strip("` ")
        elif command == "Connect":
            found = _ON.search(text)
            databases[session] = found[1] if found and found[1] != "using" else None
        is_text = command in _TEXTS
        yield Entry(number, text, session, databases.get(session), None, None if is_text else command)


def _of_proxy(path: Path, rows: Sequence[dict[str, Any]]) -> Iterator[Entry]:
    for number, row in enumerate(rows, start=1):
        seconds = _number(path, number, row, "DURATION_US") / 1e6
        command = "Prepare" if row.get("EVENT") == "COM_STMT_PREPARE" else None
        database = str(row.get("SCHEMANAME") or "") or None
        yield Entry(number, _sent(row, "QUERY"), _session(row), database, seconds, command)


def _of_filebeat(path: Path, rows: Sequence[dict[str, Any]]) -> Iterator[Entry]:
    for number, row in enumerate(rows, start=1):
        seconds = _number(path, number, row, "DURATION") / 1e9
        database = str(row.get("SCHEMA") or "") or None
        yield Entry(number, _sent(row, "QUERY"), _session(row), database, seconds)


def _of_history(path: Path, rows: Sequence[dict[str, Any]]) -> Iterator[Entry]:
    numbered = list(enumerate(rows, start=1))
    if all(whole_number(str(row.get("TIMER_START") or "")) is not None for row in rows):
        numbered.sort(key=lambda one: int(one[1]["TIMER_START"]))
    for number, row in numbered:
        command = None if row.get("SQL_TEXT") else str(row.get("EVENT_NAME") or "").rpartition("/")[2]
        if row.get("NESTING_EVENT_TYPE") == "STATEMENT":
            command = "in a routine"
        text = _sent(row, "SQL_TEXT")
        # The server cuts a text at performance_schema_max_sql_text_length.
        command = "cut" if command is None and text.endswith("...") else command
        seconds = _number(path, number, row, "TIMER_WAIT") / 1e12
        error = whole_number(str(row.get("MYSQL_ERRNO") or "")) or None
        database = str(row.get("CURRENT_SCHEMA") or "") or None
        yield Entry(number, text, _session(row), database, seconds, command, error)


_Reader = Callable[[Path, Sequence[dict[str, Any]]], Iterator[Entry]]
_FORMS: Sequence[tuple[str, tuple[str, ...], _Reader]] = (
    ("table slow log", ("SQL_TEXT", "QUERY_TIME"), _of_slow),
    ("table slow log", ("SQL", "QUERY_TIME"), _of_slow),
    ("table slow log", ("QUERY", "QUERY_TIME"), _of_slow),
    ("parsed slow log", ("SLOWLOG", "QUERY", "DURATION"), _of_filebeat),
    ("table general log", ("COMMAND_TYPE", "ARGUMENT"), _of_general),
    ("ProxySQL query log", ("QUERY", "DURATION_US", "THREAD_ID"), _of_proxy),
    ("statement history log", ("SQL_TEXT", "TIMER_WAIT", "THREAD_ID"), _of_history),
)
"""Names of forms, which end with "log", the columns by which they are known, and what reads their rows."""
COLUMNS = tuple(names for _, names, _ in _FORMS)


def _number(path: Path, number: int, row: dict[str, Any], name: str) -> float:
    said = str(row.get(name) or "0")
    if _SECONDS.fullmatch(said) is None:
        raise InputError(f"{path}: row {number}: {name} must be a number, not {row.get(name)!r}")
    return float(said)


def _sent(row: dict[str, Any], *names: str) -> str:
    """Returns the text that a client sent, from the first of some columns that has one. Its type is BLOB,
    which clients show as hexadecimal digits and JSON has as base64.
    """
    text = next((str(row[name]) for name in names if row.get(name)), "")
    try:
        if digits := _HEX.fullmatch(text):
            return bytes.fromhex(digits[1]).decode("utf-8", "replace")
        if letters := _BASE64.fullmatch(text):
            return base64.b64decode(letters[1]).decode("utf-8", "replace")
    except binascii.Error:
        pass
    return text


def _session(row: dict[str, Any]) -> int | None:
    return whole_number(str(row.get("THREAD_ID") or ""))


def statements_of_entries(entries: Sequence[Entry]) -> Iterator[ReadStatement]:
    """Yields what the texts of a log hold, each with its session, database, time and error."""
    texts = [one for one in entries if one.command is None]
    read = iter(statements_of_texts([one.text for one in texts]))
    found, number = next(read, None), 0
    for one in entries:
        if one.command is not None:
            yield ReadStatement(line=one.line, session=one.session, instead=one.command)
            continue
        number += 1
        seconds = one.seconds
        while found is not None and found.line <= number:
            database = found.database or one.database
            given = {"line": one.line, "session": one.session, "database": database, "error": one.error}
            yield msgspec.structs.replace(found, seconds=seconds, **given)
            found, seconds = next(read, None), None
