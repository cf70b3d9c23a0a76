"""Reads exports of tables that count statements by kind: digests of performance_schema,
`x$statement_analysis` of sys, `stats_mysql_query_digest` of ProxySQL, the history of pt-query-digest.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from assay.base.errors import InputError
from assay.experiments.own.exports import Export
from assay.experiments.own.reading import Digest

_TABLES: Sequence[tuple[str, str, str, str, float]] = (
    ("DIGEST_TEXT", "COUNT_STAR", "SUM_TIMER_WAIT", "SCHEMA_NAME", 1e12),
    ("QUERY", "EXEC_COUNT", "TOTAL_LATENCY", "DB", 1e12),
    ("DIGEST_TEXT", "COUNT_STAR", "SUM_TIME", "SCHEMANAME", 1e6),
    ("SAMPLE", "TS_CNT", "QUERY_TIME_SUM", "DB_MAX", 1),
)
"""Columns of each table: a text, how often it was sent, the time, the database, and units of time in a
second.
"""
_SAMPLE = "QUERY_SAMPLE_TEXT"
COLUMNS = tuple(one[:3] for one in _TABLES)


def digests_of(export: Export) -> list[Digest] | None:
    """Returns the kinds of statements of an export; None for any other file. Raises InputError for a row that
    is none.
    """
    columns = next((one for one in _TABLES if export.has(one[0], one[1], one[2])), None)
    if columns is None and export.has(_TABLES[0][0]):
        columns = _TABLES[0]  # without all of its columns
    return None if columns is None else [_digest(export.file.path, row, *columns) for row in export.rows]


def _digest(
    path: Path, row: dict[str, Any], text: str, count: str, time: str, database: str, units: float
) -> Digest:
    sample = str(row.get(_SAMPLE) or "")
    said = sample if sample and not sample.endswith("...") else row.get(text)
    if row.get(count) in (None, ""):
        raise InputError(f"{path}: a digest has no {count}, so nobody knows how often it was sent")
    try:
        times = int(row[count])
        seconds = float(row.get(time) or 0) / units
    except (ValueError, TypeError, OverflowError) as error:
        raise InputError(
            f"{path}: {count} and {time} must be numbers: {error}",
            hint="of views of sys, export those that begin with x$",
        ) from error
    schema = row.get(database)
    named = None if schema in (None, "", "NULL") else str(schema)
    return Digest(str(said) if said else None, named, times, seconds)
