"""Reads logs of MariaDB's audit plugin, which MySQL on RDS and Aurora has too (MariaDB manual, "MariaDB Audit
Plugin - Log Format"): a line for each event, also of syslog, its fields parted by commas, the statement in
quotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.experiments.own.log_table import Entry, statements_of_entries
from assay.experiments.own.statements import ReadStatement
from assay.experiments.own.whole_file import WholeFile

_MOST_BYTES = 256 << 20
_FIRST_LINES = 5
_EVENT = re.compile(
    r"(?:(?:\d{8} \d\d?:\d\d:\d\d|\d{13,16}),|[^,]{15,80}: )[^,]*,[^,]*,[^,]*,(?P<session>\d+),\d+,"
    r"(?P<event>[A-Z_]+),(?P<rest>.*)"
)
_QUERY = re.compile(r"([^,]*),'(.*)',(\d+)(?:,.*)?", re.S)
_ESCAPED = re.compile(r"\\(.)", re.S)
_ENDS = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}
_OF_TABLES = ("READ", "WRITE", "CREATE", "ALTER", "RENAME", "DROP")
_COMMANDS = {"CONNECT": "Connect", "FAILED_CONNECT": "Connect", "DISCONNECT": "Quit"}


def is_event(line: str) -> bool:
    """Returns whether a line is an event of the plugin, as it writes it."""
    return _EVENT.match(line) is not None


def audit_log_of(file: WholeFile) -> tuple[str, Iterator[ReadStatement]] | None:
    """Returns the form of an audit log and its statements; None for any other file. Events of tables repeat
    what statements say, and are passed over. Raises InputError for a file that cannot be read.
    """
    # The first line of a file that was rotated may be the rest of one.
    if not any(map(is_event, file.head.split("\n", _FIRST_LINES)[:_FIRST_LINES])):
        return None
    text = file.text("an audit log", _MOST_BYTES, hint="give one of the files that it rotates")
    return "server audit log", statements_of_entries(list(_entries(text)))


def _entries(text: str) -> Iterator[Entry]:
    for number, said in enumerate(text.split("\n"), start=1):
        if (event := _EVENT.fullmatch(said.rstrip("\r"))) is None:
            if said.strip():
                yield Entry(number, "", None, command="cut")
            continue
        session, kind = int(event["session"]), event["event"]
        if kind in _COMMANDS:
            yield Entry(number, "", session, command=_COMMANDS[kind])
        elif kind == "QUERY":
            if (query := _QUERY.fullmatch(event["rest"])) is None:
                yield Entry(number, "", session, command="cut")
            else:
                database, sql, code = query[1] or None, _ESCAPED.sub(_letter, query[2]), int(query[3])
                yield Entry(number, sql, session, database, error=code or None)
        elif kind not in _OF_TABLES:
            yield Entry(number, "", session, command=kind)


def _letter(escaped: re.Match[str]) -> str:
    return _ENDS.get(escaped[1], escaped[1])
