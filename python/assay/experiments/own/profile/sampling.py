"""Reads rows of a table in the order of its primary key: all of a small table, stretches of a large one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from assay.base.decoding import whole_number
from assay.experiments.own.profile.catalogue import SHOWN_CHARS, SourceColumn, SourceTable
from assay.system.server import quoted_name

if TYPE_CHECKING:
    from assay.system.server import Connection

_ROWS_AT_ONCE = 2000
_STRETCHES = 100
_MOST_PAUSE_S = 1.0


class ReadText(NamedTuple):
    """A text as it was read: its beginning, what tells it from others, and its length."""

    shown: str | bytes
    identity: str | bytes
    length: int


@dataclass
class Sample:
    """Rows of a table, by column in their order. `rows` is how many the table has, `exact` whether they were
    counted; `spread`: stretches of the whole table were read and not its beginning alone.
    """

    rows: int
    exact: bool
    columns: dict[str, list[Any]]
    read: int = 0
    spread: bool = True

    @property
    def whole(self) -> bool:
        return self.exact and self.read >= self.rows


def row_count(connection: Connection, database: str, table: SourceTable, most: int) -> tuple[int, bool]:
    """Returns the rows of a table, and whether they were counted: the server estimates those of a table that
    has far more than are read.
    """
    if table.estimated_rows > 2 * most:
        return table.estimated_rows, False
    name = quoted_name(database, table.name)
    return int(connection.rows(f"SELECT COUNT(*) FROM {name}")[0][0]), True


def sample(
    connection: Connection,
    database: str,
    table: SourceTable,
    count: tuple[int, bool],
    most: int,
    tell: Callable[[int], None],
) -> Sample:
    """Reads at most `most` rows of a table with this count. After each statement it waits as long as the
    server took for it.
    """
    name = quoted_name(database, table.name)
    rows, exact = count
    found = Sample(rows, exact, {one.name: [] for one in table.columns})
    keys = _starts(connection, name, table, most) if rows > most else [None]
    found.spread = rows <= most or len(keys) > 1
    each = max(1, most // len(keys))
    for number, start in enumerate(keys):
        end = keys[number + 1] if number + 1 < len(keys) else None
        for chunk in _chunks(connection, name, table, start, end, each):
            _add(found, table, chunk)
            tell(found.read)
    return found


def _starts(connection: Connection, name: str, table: SourceTable, most: int) -> list[Any]:
    """Returns places of a numeric primary key from which stretches are read; else its beginning alone."""
    if not table.primary:
        return [None]
    first = quoted_name(table.primary[0])
    low, high = connection.rows(f"SELECT MIN({first}), MAX({first}) FROM {name}", columns=2)[0]
    if not isinstance(low, int) or not isinstance(high, int):
        return [None]
    stretches = min(_STRETCHES, max(1, most // _ROWS_AT_ONCE * 4), high - low + 1)
    return sorted({low + (high - low + 1) * number // stretches for number in range(stretches)})


def _chunks(
    connection: Connection, name: str, table: SourceTable, start: Any, end: Any, most: int
) -> Iterator[list[tuple[Any, ...]]]:
    """Yields the next rows of a table from a place on, some at a time."""
    key = [quoted_name(one) for one in table.primary]
    reads = ", ".join([*(part for column in table.columns for part in _reads(column)), *key])
    last: tuple[Any, ...] | None = None
    left = most
    while left > 0:
        conditions, values = _after(key, last)
        if last is None and start is not None:
            conditions, values = [f"{key[0]} >= %s"], [start]
        if end is not None:
            conditions, values = [*conditions, f"{key[0]} < %s"], [*values, end]
        # Without a key there is no place to go on from: the beginning is read at once.
        limit = min(left, _ROWS_AT_ONCE) if key else left
        where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        order = f" ORDER BY {', '.join(key)}" if key else ""
        began, used = time.monotonic(), time.thread_time()
        rows = connection.rows(f"SELECT {reads} FROM {name}{where}{order} LIMIT {limit}", values)
        # What reading the answer took of this processor is no work of the server's.
        took = max(0.0, time.monotonic() - began - (time.thread_time() - used))
        if rows:
            yield rows
        left -= len(rows)
        if len(rows) < limit or not key:
            return
        last = rows[-1][len(rows[-1]) - len(key) :]
        time.sleep(min(took, _MOST_PAUSE_S))


def _after(key: Sequence[str], last: tuple[Any, ...] | None) -> tuple[list[str], list[Any]]:
    """Returns the condition of rows after one, in a form of which servers make a range of the key."""
    if last is None:
        return [], []
    text = ""
    values: list[Any] = []
    for at in reversed(range(len(key))):
        inner = f" OR ({key[at]} = %s AND {text})" if text else ""
        values = [last[at], *([last[at], *values] if text else [])]
        text = f"({key[at]} > %s{inner})"
    return [f"{key[0]} >= %s", text], [last[0], *values]


def _reads(column: SourceColumn) -> list[str]:
    if not column.is_text or column.is_short:
        return [column.read]
    own = column.read
    length = f"LENGTH({own})" if type(column.form).__name__.startswith("Bytes") else f"CHAR_LENGTH({own})"
    return [f"LEFT({own}, {SHOWN_CHARS})", f"IF({length} > {SHOWN_CHARS}, MD5({own}), NULL)", length]


def _add(found: Sample, table: SourceTable, rows: list[tuple[Any, ...]]) -> None:
    at = 0
    for column in table.columns:
        values = found.columns[column.name]
        if column.is_short:
            texts = (row[at] for row in rows)
            values.extend(None if text is None else ReadText(text, text, len(text)) for text in texts)
            at += 1
        elif column.is_text:
            for row in rows:
                shown, identity, length = row[at : at + 3]
                values.append(None if shown is None else ReadText(shown, identity or shown, int(length)))
            at += 3
        else:
            values.extend(_number(row[at]) for row in rows)
            at += 1
    found.read += len(rows)


def _number(value: Any) -> Any:
    if isinstance(value, (str, bytes)):  # of a server that answers expressions as text
        text = value.decode() if isinstance(value, bytes) else value
        number = whole_number(text)
        return number if number is not None else float(text)
    return value
