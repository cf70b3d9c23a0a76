"""Follows what a dump says of tables after it has made them: phpMyAdmin gives keys and AUTO_INCREMENT by
ALTER TABLE, and others unique keys by CREATE UNIQUE INDEX.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assay.experiments.own.schema import (
    Table,
    Tables,
    columns_and_keys,
    definitions,
    name_after,
    names_in_parentheses,
)
from assay.experiments.own.statements import Part


def altered(tables: Tables, parts: Sequence[Part]) -> str | None:
    """Has a table become what a statement makes of it; returns its name, None where the statement alters none
    of these.
    """
    words = [part.text.upper() if part.kind == "word" else "" for part in parts]
    if words[:3] == ["CREATE", "UNIQUE", "INDEX"] and "ON" in words:
        on = words.index("ON")
        table = tables.get(name_after(parts, on) or "")
        if table is not None:
            key = tuple(names_in_parentheses(parts, on)[0])
            tables.add(replace(table, unique=(*table.unique, key)))
        return None if table is None else table.name
    if words[:1] != ["ALTER"] or "TABLE" not in words[:3]:
        return None
    at = words.index("TABLE")
    table = tables.get(name_after(parts, at) or "")
    if table is None:
        return None
    start = at + (4 if at + 2 < len(parts) and parts[at + 2].is_symbol(".") else 2)
    tables.add(_with(table, [_definition(one) for one in definitions(parts[start:])]))
    return table.name


def _definition(change: list[Part]) -> list[Part]:
    """Returns the definition of a column or key that a change has; nothing for one that has none."""
    verb = change[0]
    if not verb.is_word("ADD", "MODIFY", "CHANGE"):
        return []
    rest = change[1:]
    if rest and rest[0].is_word("COLUMN"):
        rest = rest[1:]
    if verb.is_word("CHANGE"):
        rest = rest[1:]
    # Partitions are no columns; several columns may stand in parentheses.
    return [] if rest and (rest[0].is_symbol("(") or rest[0].is_word("PARTITION")) else rest


def _with(table: Table, changes: Sequence[list[Part]]) -> Table:
    made = columns_and_keys([one for one in changes if one], table.unique, table.references)
    columns = {column.name.lower(): column for column in (*table.columns, *made.columns)}
    for name in made.unique[0] if made.unique else ():
        if (column := columns.get(name.lower())) is not None:
            columns[name.lower()] = replace(column, nullable=False)
    return replace(made, name=table.name, columns=tuple(columns.values()))
