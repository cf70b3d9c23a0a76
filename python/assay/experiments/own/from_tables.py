"""Statements for tables of which nothing else is known: a read by key and a new row for each."""

from __future__ import annotations

import re
from collections.abc import Container

from assay.experiments.own.generated import generated, name_in_draw, unheeded
from assay.experiments.own.naming import plain, unused
from assay.experiments.own.schema import Table, Tables
from assay.experiments.own.statements import CannotDraw
from assay.system.server import quoted_name

_FRESH = re.compile(r"seq\(|uuid|hex\((?:[89]|\d\d+)\)|text\(\d+\.\.\d\d")
"""Draws that hardly ever give what is there: numbers that go on, and many digits or letters by chance."""
_READS = 10
"""Reads for each new row: a guess, which the file says."""


def blocks_of_tables(
    tables: Tables, most: int, with_rows: Container[str] | None
) -> tuple[list[str], list[str]]:
    """Returns at most so many blocks of a file of statements, and what is not in them and why. `with_rows`
    are the tables, in small letters, that have rows; None where that is not known.
    """
    blocks: list[str] = []
    left_out: list[str] = []
    taken: set[str] = set()
    for number, table in enumerate(tables):
        if len(blocks) + len(_KINDS) > most:
            left_out.append(f"{len(tables) - number} more tables: a file has {most} transactions at most")
            break
        for make in _KINDS:
            try:
                blocks.append("\n".join(make(table, taken, with_rows)))
            except CannotDraw as why:
                left_out.append(f"{table.name}: {why}")
        left_out += unheeded(table)
    return blocks, left_out


def _read(table: Table, taken: set[str], with_rows: Container[str] | None) -> list[str]:
    if with_rows is not None and table.name.lower() not in with_rows:
        raise CannotDraw("no row to read")
    key = table.unique[0] if table.unique else ()
    if not key:
        raise CannotDraw("no key to read by")
    names = _parameters(key)
    where = " AND ".join(f"{quoted_name(column)} = :{name}" for column, name in zip(key, names, strict=True))
    of = name_in_draw(table.name)
    columns = ", ".join(name_in_draw(column) for column in key)
    draw = f"column({of}.{columns})" if len(key) == 1 else f"row({of}: {columns})"
    left = names[0] if len(names) == 1 else f"({', '.join(names)})"
    return [
        f"-- @transaction {unused(plain(f'read_{table.name}'), taken)} weight={_READS}",
        f"-- @let {left} = {draw}",
        f"SELECT * FROM {quoted_name(table.name)} WHERE {where};",
        "-- @end",
    ]


def _insert(table: Table, taken: set[str], with_rows: Container[str] | None) -> list[str]:
    columns = [one for one in table.columns if not one.generated and not one.auto_increment]
    if not columns:
        raise CannotDraw("no column that a new row fills")
    lets, values = [], []
    fresh = {one.name.lower() for one in table.columns if one.auto_increment}
    for column, name in zip(columns, _parameters([one.name for one in columns]), strict=True):
        draw = generated(table, column)
        to = table.references.get(column.name)
        if to is not None and with_rows is not None and to[0].lower() not in with_rows:
            if not column.nullable:
                raise CannotDraw(f"column {column.name} refers to {to[0]}, which has no row")
            draw = None
        if draw is None:
            if not (column.nullable or column.has_default):
                raise CannotDraw(f"column {column.name} is of type {column.type}, for which there is no draw")
            values.append("NULL" if column.nullable else "DEFAULT")
            fresh |= {column.name.lower()} if column.nullable else set()
        else:
            fresh |= {column.name.lower()} if _FRESH.match(draw) else set()
            lets.append(f"-- @let {name} = {draw}")
            values.append(f":{name}")
    # Two rows of other tables are a pair that may be there, and so is a code of two letters.
    ignore = "" if all(fresh & {name.lower() for name in key} for key in table.unique) else " IGNORE"
    into = ", ".join(quoted_name(column.name) for column in columns)
    return [
        f"-- @transaction {unused(plain(f'insert_{table.name}'), taken)} weight=1",
        *lets,
        f"INSERT{ignore} INTO {quoted_name(table.name)} ({into}) VALUES ({', '.join(values)});",
        "-- @end",
    ]


def _parameters(columns: list[str] | tuple[str, ...]) -> list[str]:
    """Returns a name for the parameter of each column, each once."""
    taken: set[str] = set()
    bases = [plain(column, "_") for column in columns]
    return [unused(f"v_{base}" if base[:1].isdigit() else base, taken) for base in bases]


_KINDS = (_read, _insert)
