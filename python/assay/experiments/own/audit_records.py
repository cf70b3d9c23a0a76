"""Reads logs of the audit plugins of Percona Server and MySQL Enterprise: a record for each event, in XML of
two forms, in JSON or in CSV (manuals, "Audit Log Plugin", "Audit Log File Formats").
"""

from __future__ import annotations

import csv
import html
import re
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from typing import Any

from assay.base.decoding import whole_number
from assay.base.errors import InputError
from assay.experiments.own.exports import Export
from assay.experiments.own.log_table import Entry, statements_of_entries
from assay.experiments.own.statements import ReadStatement
from assay.experiments.own.whole_file import WholeFile

_MOST_BYTES = 256 << 20
_HINT = "give one of the files that it rotates"
_XML = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?(?:<AUDIT>\s*)?<AUDIT_RECORD\b")
_RECORD = re.compile(r"<AUDIT_RECORD>(.*?)</AUDIT_RECORD>|<AUDIT_RECORD\s([^<]*?)/>", re.S)
_ELEMENT = re.compile(r"<(\w+)>([^<]*)</\1>")
_ATTRIBUTE = re.compile(r'"?(\w+)"?="([^"]*)"')
_CSV = re.compile(r'"(?:Audit|Query|Connect|Execute|Prepare|Quit|Init DB|Change user)","\d+_\d{4}-')
_OF_QUERY = ("NAME", "RECORD", "TIMESTAMP", "COMMAND_CLASS", "CONNECTION_ID", "STATUS", "SQLTEXT")
_AFTER_TEXT = ("USER", "HOST", "OS_USER", "IP", "DB")
_OF_CONNECT = ("NAME", "RECORD", "TIMESTAMP", "CONNECTION_ID", "STATUS")
_CONNECTS = ("Connect", "Quit", "Change user")
_TEXTS = ("query", "execute")


def audit_records_of(file: WholeFile, export: Export | None) -> tuple[str, Iterator[ReadStatement]] | None:
    """Returns the form of an audit log and its statements; None for any other file. Raises InputError for a
    file that cannot be read.
    """
    if _XML.match(file.head):
        rows = _of_xml(file.text("an audit log", _MOST_BYTES, _HINT))
    elif _CSV.match(file.head):
        rows = _of_csv(file, file.text("an audit log", _MOST_BYTES, _HINT))
    elif export is not None and (
        export.has("SQLTEXT", "CONNECTION_ID") or export.has("CLASS", "SQL_COMMAND")
    ):
        rows = export.rows
    else:
        return None
    return "audit log", statements_of_entries(list(_entries(rows)))


def _of_xml(text: str) -> list[dict[str, Any]]:
    rows = []
    for record in _RECORD.finditer(text):
        pairs = (_ATTRIBUTE if record[1] is None else _ELEMENT).findall(record[1] or record[2] or "")
        rows.append({name.upper(): html.unescape(value) for name, value in pairs})
    cut = len(re.findall(r"<AUDIT_RECORD\b", text)) - len(rows)
    return [*rows, *([{"NAME": "cut"}] * cut)]


def _of_csv(file: WholeFile, text: str) -> list[dict[str, Any]]:
    csv.field_size_limit(1 << 24)
    try:
        rows = [row for row in csv.reader(StringIO(text, newline="")) if row]
    except csv.Error as error:
        raise InputError(f"{file.path}: is not whole CSV: {error}") from error
    return [
        dict(zip(_OF_CONNECT if row[0] in _CONNECTS else _OF_QUERY + _AFTER_TEXT, row, strict=False))
        for row in rows
    ]


def _entries(rows: Sequence[Mapping[str, Any]]) -> Iterator[Entry]:
    # A filter may log several events of a statement: those of one class are taken.
    classes = {row.get("CLASS") for row in rows if row.get("QUERY")}
    of_class = next((one for one in ("general", "query") if one in classes), None)
    for number, row in enumerate(rows, start=1):
        session = whole_number(str(row.get("CONNECTION_ID") or ""))
        kind = str(row.get("CLASS") or "")
        name = str(row.get("COMMAND") or row.get("NAME") or row.get("EVENT") or "")
        text = str(row.get("SQLTEXT") or row.get("QUERY") or "")
        if kind == "connection":
            name = "Quit" if row.get("EVENT") == "disconnect" else "Connect"
        elif (
            kind
            and of_class
            and (kind != of_class or row.get("EVENT") in ("query_start", "query_nested_start"))
        ):
            continue
        elif kind == "query":
            name = "Query"
        status = whole_number(str(row.get("STATUS") or "")) or None
        if name.lower() in _TEXTS and text:
            yield Entry(number, text, session, str(row.get("DB") or "") or None, error=status)
        else:
            yield Entry(number, "", session, command=name or "unknown")
