"""Reads rows out of a dump of a table to which a server logs, or in which it counts statements: the values of
INSERT statements, their columns by name or by the statement that makes the table.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assay.experiments.own.exports import LOG_COLUMNS, Export
from assay.experiments.own.named_tables import tables_in
from assay.experiments.own.reading import statements_of
from assay.experiments.own.schema import names_in_parentheses
from assay.experiments.own.source import table_in
from assay.experiments.own.statements import Part, ReadStatement, Shape, Value, values_by_slot
from assay.experiments.own.unfit import INSTEAD
from assay.experiments.own.whole_file import WholeFile

_FILLS = re.compile(r"^\s*(?:INSERT|REPLACE)\b[^;(]*\bINTO\b", re.I | re.M)
_OF_LOGS: Mapping[str, Sequence[str]] = dict(zip(("slow_log", "general_log"), LOG_COLUMNS, strict=True))
"""Columns of the tables that servers have, in order, where a dump makes none."""


@dataclass
class _Filled:
    """A table of a dump: its columns in order, and its rows."""

    columns: Sequence[str]
    rows: list[dict[str, Any]] = field(default_factory=list)


def inserted_rows(file: WholeFile, known: Collection[Sequence[str]]) -> Export | None:
    """Returns the rows of the table that has the columns of one of the `known` kinds; None for a file that
    fills none such. Raises InputError for a file that cannot be read.
    """
    words = {word.upper() for word in re.findall(r"\w+", file.head)} if _FILLS.search(file.head) else set()
    named = any(words.issuperset(names) for names in known) or words & {one.upper() for one in _OF_LOGS}
    if not named:
        return None
    left_out: Counter[str] = Counter()
    tables = _tables(statements_of(file.source), left_out)
    of_known = [
        one
        for one in tables.values()
        if one.rows and any(set(one.columns).issuperset(names) for names in known)
    ]
    if not of_known:
        return None
    taken = max(of_known, key=lambda one: len(one.rows))
    if others := sum(len(one.rows) for one in tables.values() if one is not taken):
        left_out["rows of other tables"] += others
    return Export(file, frozenset(taken.columns), "rows", left_out, taken.rows)


def _tables(statements: Iterator[ReadStatement], left_out: Counter[str]) -> dict[str, _Filled]:
    """Returns the tables that statements fill, by names in small letters; counts what is no row of them."""
    tables: dict[str, _Filled] = {}
    shapes: dict[int, Shape] = {}
    for one in statements:
        if (table := table_in(one)) is not None:
            columns = [column.name.upper() for column in table.columns if not column.generated]
            tables.setdefault(table.name.lower(), _Filled(columns))
        elif one.instead in INSTEAD:
            left_out[INSTEAD[one.instead or ""].format(line=one.line)] += 1
        elif one.shape is not None:
            if one.parts is not None:
                shapes[one.shape] = Shape(one.shape, one.parts)
            _fill(tables, shapes[one.shape], one, left_out)
    return tables


def _fill(tables: dict[str, _Filled], shape: Shape, one: ReadStatement, left_out: Counter[str]) -> None:
    """Adds the rows of an INSERT to its table."""
    name = next((table.lower() for _, table in tables_in(shape)), None)
    if shape.verb not in ("INSERT", "REPLACE") or name is None:
        return
    if name not in tables:
        tables[name] = _Filled(_OF_LOGS.get(name, ()))
    start = next((at for at, part in enumerate(shape.parts) if part.is_word("VALUES", "VALUE")), None)
    if start is None:
        return
    named = [one.upper() for one in names_in_parentheses(shape.parts[:start], 0)[0]]
    columns = named or tables[name].columns
    tables[name].columns = tables[name].columns or columns
    width = _width(shape.parts[start:])
    slots = values_by_slot(shape, one.values, one.counts)
    rows = list(zip(*slots, strict=False))
    # MySQL and MariaDB differ in their last columns.
    fits = width is not None and len(columns) - 2 * (not named) <= width <= len(columns)
    if not columns:
        left_out["rows of other tables"] += max(len(rows), 1)
    elif fits and len(slots) == width:
        tables[name].rows += [dict(zip(columns, map(_plain, row), strict=False)) for row in rows]
    else:
        left_out["rows with expressions in place of values"] += max(len(rows), 1)


def _width(parts: Sequence[Part]) -> int | None:
    """Returns how many values a row has, each alone or in a conversion; None where an expression has none or
    several.
    """
    depth = 0
    widths = [0]
    for part in parts:
        depth += part.is_symbol("(") - part.is_symbol(")")
        if depth == 1 and part.is_symbol(","):
            widths.append(0)
        widths[-1] += part.kind == "value"
    return len(widths) if set(widths) == {1} else None


def _plain(value: Value) -> str | None:
    kind, text = value
    if kind == "bytes":
        return bytes.fromhex(text).decode("utf-8", "replace")
    return None if kind in ("null", "unknown") else text
