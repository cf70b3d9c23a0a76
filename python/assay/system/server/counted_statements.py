"""Counts statements by form, as performance_schema does: by digest, and by text of those that are prepared.

A digest is that of a statement sent as text; the executions of prepared ones have a table of their own, and
in some versions a digest, too. Source: manuals of MySQL and MariaDB, "Statement Summary Tables" and "The
prepared_statements_instances Table".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from assay.base.errors import ServerError
from assay.design.folder import CountedStatement
from assay.system.server.connection import Connection
from assay.system.server.instrumentation import columns_of
from assay.system.server.plans import without_values

FULL = (
    "some statements are not told apart: performance_schema's table of digests is full"
    " (performance_schema_digests_size)"
)
MISSING_TABLE = frozenset({1109, 1146, 1054})
"""Errors of a server that has no such table or column."""

_OPERATOR = re.compile(r"(<=>|<=|>=|<>|!=|:=|[=<>])")
_PS_NS = 1000.0  # timers count picoseconds
_MOST = 60
_LONGEST_TEXT = 240
_CPU = "SUM_CPU_TIME"
_FIGURES = ("COUNT", "TIMER", "SUM_ROWS_EXAMINED", "SUM_ROWS_SENT", "SUM_ERRORS", _CPU)

Sums = dict[str, dict[str, float]]
"""Figures by form of statement; "" is what has no text."""


@dataclass(frozen=True)
class _Source:
    table: str
    text: str
    count: str
    timer: str
    condition: str


_DIGESTS = _Source(
    "performance_schema.events_statements_summary_by_digest",
    "DIGEST_TEXT",
    "COUNT_STAR",
    "SUM_TIMER_WAIT",
    "SCHEMA_NAME IS NOT NULL OR DIGEST IS NULL",  # the lab's own have no schema
)
_PREPARED = _Source(
    "performance_schema.prepared_statements_instances",
    "SQL_TEXT",
    "COUNT_EXECUTE",
    "SUM_TIMER_EXECUTE",
    "COUNT_EXECUTE > 0",
)


@dataclass(frozen=True)
class StatementSums:
    """What was counted so far: statements by digest, and executions of prepared ones."""

    digests: Sums
    prepared: Sums


def read_statements(connection: Connection) -> StatementSums:
    """Returns the sums of all forms of statement that the server knows. Raises ServerError or ServerLost."""
    return StatementSums(_read(connection, _DIGESTS), _read(connection, _PREPARED))


def grown_statements(before: StatementSums, after: StatementSums) -> list[CountedStatement]:
    """Returns the growth of the forms that took the most time, and of all others together under no text."""
    grown = _growth(before.digests, after.digests)
    for text, sums in _growth(before.prepared, after.prepared).items():
        if sums["COUNT"] > grown.get(text, {}).get("COUNT", 0.0):  # executions have no digest
            grown[text] = sums
    order = sorted(grown, key=lambda text: (text == "", -grown[text]["TIMER"]))
    for text in order[_MOST:]:
        rest = grown.setdefault("", {})
        if text:
            for name, value in grown.pop(text).items():
                rest[name] = rest.get(name, 0.0) + value
    return [_statement(text, sums) for text, sums in grown.items()]


def _read(connection: Connection, source: _Source) -> Sums:
    try:
        columns = columns_of(connection, source.table)
    except ServerError as error:
        if error.code not in MISSING_TABLE:
            raise
        return {}
    names = {"COUNT": source.count, "TIMER": source.timer}
    if _CPU in columns and not _counts_cpu(connection):
        columns.discard(_CPU)
    wanted = [name for name in _FIGURES if names.get(name, name) in columns]
    listed = ", ".join(f"SUM({names.get(name, name)})" for name in wanted)
    rows = connection.rows(
        f"SELECT LEFT({source.text}, 1000), {listed} FROM {source.table} WHERE {source.condition} GROUP BY 1",
        columns=1 + len(wanted),
    )
    found: Sums = {}
    for text, *figures in rows:
        sums = found.setdefault(_shown(_decoded(text)), dict.fromkeys(wanted, 0.0))
        for name, figure in zip(wanted, figures, strict=True):
            sums[name] += float(figure or 0)
    return found


def _counts_cpu(connection: Connection) -> bool:
    """Returns whether processor time is counted: the column is 0 without its consumer."""
    found = connection.rows(
        "SELECT ENABLED FROM performance_schema.setup_consumers WHERE NAME = 'events_statements_cpu'"
    )
    return any(str(enabled) == "YES" for (enabled,) in found)


def _growth(before: Sums, after: Sums) -> Sums:
    found: Sums = {}
    for text, sums in after.items():
        old: Mapping[str, float] = before.get(text, {})
        if sums["COUNT"] > old.get("COUNT", 0.0):
            found[text] = {name: max(0.0, value - old.get(name, 0.0)) for name, value in sums.items()}
    return found


def _statement(text: str, sums: Mapping[str, float]) -> CountedStatement:
    return CountedStatement(
        text=text,
        count=sums["COUNT"],
        ns=sums["TIMER"] / _PS_NS,
        rows_examined=sums.get("SUM_ROWS_EXAMINED"),
        rows_sent=sums.get("SUM_ROWS_SENT"),
        errors=sums.get("SUM_ERRORS"),
        cpu_ns=sums[_CPU] / _PS_NS if _CPU in sums else None,
    )


def _decoded(text: object) -> str:
    return text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text or "")


def _shown(text: str) -> str:
    """Returns a form as both flavours may show it: without quotes of names and numbers of tables."""
    plain = _OPERATOR.sub(r" \1 ", without_values(text.replace("`", "")))
    plain = " ".join(plain.split())
    for mark in (" ,", " )", "( ", " ."):
        plain = plain.replace(mark, mark.strip())
    return plain if len(plain) <= _LONGEST_TEXT else f"{plain[: _LONGEST_TEXT - 1]}…"
