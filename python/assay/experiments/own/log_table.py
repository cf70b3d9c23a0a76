"""Reads exports of `mysql.slow_log` and `mysql.general_log`, the tables to which servers write their logs
with `log_output = TABLE` (MySQL manual, "Selecting General Query Log and Slow Query Log Output
Destinations").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from assay.base.decoding import whole_number
from assay.base.errors import InputError
from assay.experiments.own.exports import rows_of_export
from assay.experiments.own.reading import statements_of_texts
from assay.experiments.own.statements import ReadStatement
from assay.experiments.own.whole_file import WholeFile

_TIME = re.compile(r"(\d+):(\d\d):(\d\d(?:\.\d+)?)")
_ON = re.compile(r" on (\S+)")
_TEXTS = ("Query", "Execute")
_COMMAND = "administrator command: "


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


def log_table_of(file: WholeFile) -> tuple[str, Iterator[ReadStatement]] | None:
    """Returns the form of an exported log and its statements; None for any other file. Raises InputError for
    what is no such row.
    """
    if (rows := rows_of_export(file, "SQL_TEXT", "QUERY_TIME")) is not None:
        entries = [_of_slow(file.path, number, row) for number, row in enumerate(rows, start=1)]
        return "table slow log", statements_of_entries(entries)
    if (rows := rows_of_export(file, "COMMAND_TYPE", "ARGUMENT")) is not None:
        return "table general log", statements_of_entries(list(_of_general(file.path, rows)))
    return None


def _of_slow(path: Path, number: int, row: dict[str, Any]) -> Entry:
    time = _TIME.match(str(row.get("QUERY_TIME") or ""))
    if time is None:
        raise InputError(f"{path}: row {number}: QUERY_TIME must be a time, not {row.get('QUERY_TIME')!r}")
    seconds = int(time[1]) * 3600 + int(time[2]) * 60 + float(time[3])
    database = str(row.get("DB") or "") or None
    text = str(row.get("SQL_TEXT") or "")
    command = text.removeprefix(_COMMAND).rstrip(";") if text.startswith(_COMMAND) else None
    return Entry(number, text, _session(row), database, seconds, command)


def _of_general(path: Path, rows: list[dict[str, Any]]) -> Iterator[Entry]:
    databases: dict[int | None, str | None] = {}
    for number, row in enumerate(rows, start=1):
        session, command = _session(row), str(row.get("COMMAND_TYPE") or "")
        text = str(row.get("ARGUMENT") or "")
        if command == "Init DB":
            databases[session] = text.strip("` ")
        elif command == "Connect":
            found = _ON.search(text)
            databases[session] = found[1] if found and found[1] != "using" else None
        is_text = command in _TEXTS
        yield Entry(number, text, session, databases.get(session), None, None if is_text else command)


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
        while found is not None and found.line <= number:
            given = {"line": one.line, "session": one.session, "database": one.database, "error": one.error}
            yield msgspec.structs.replace(found, seconds=one.seconds, **given)
            found = next(read, None)
