"""Follows what a file says of tables after it has made them: phpMyAdmin gives keys and AUTO_INCREMENT by
ALTER TABLE, others unique keys by CREATE UNIQUE INDEX, and migrations change, rename and drop.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from assay.experiments.own.schema import (
    Table,
    Tables,
    definitions,
    name_after,
    names_in_parentheses,
    plain_names,
    with_definitions,
)
from assay.experiments.own.statements import Part

_NO_NAME = ("IF", "EXISTS", "NOT", "TEMPORARY", "TABLE", "TABLES")
_OF_KEYS = ("PRIMARY", "KEY", "INDEX", "FOREIGN", "CONSTRAINT", "CHECK", "PARTITION")


def altered(tables: Tables, parts: Sequence[Part]) -> str | None:
    """Has a table become what a statement makes of it; returns its name, None where the statement alters none
    of these.
    """
    parts = plain_names(parts)
    words = [part.text.upper() if part.kind == "word" else "" for part in parts]
    if words[:3] == ["CREATE", "UNIQUE", "INDEX"] and "ON" in words:
        on = words.index("ON")
        table = tables.get(name_after(parts, on) or "")
        if table is not None:
            key = tuple(names_in_parentheses(parts, on)[0])
            tables.add(replace(table, unique=(*table.unique, key)))
        return None if table is None else table.name
    if words[:1] == ["CREATE"]:
        return _like(tables, parts, words)
    if words[:1] in (["DROP"], ["RENAME"]):
        several = list(_dropped_or_renamed(parts))
        known = [(table, to) for name, to in several if (table := tables.get(name)) is not None]
        for table, to in known:
            tables.remove(table)
            if to is not None:
                tables.add(replace(table, name=to))
        return known[0][0].name if known else None
    if words[:1] != ["ALTER"] or "TABLE" not in words[:3]:
        return None
    at = words.index("TABLE") + (2 if words[words.index("TABLE") + 1 :][:2] == ["IF", "EXISTS"] else 0)
    table = tables.get(name_after(parts, at) or "")
    if table is None:
        return None
    start = at + (4 if at + 2 < len(parts) and parts[at + 2].is_symbol(".") else 2)
    changed = table
    for change in definitions(parts[start:]):
        changed = _changed(changed, change)
    if changed.name != table.name:
        tables.remove(table)
    tables.add(changed)
    return table.name


def _like(tables: Tables, parts: Sequence[Part], words: Sequence[str]) -> str | None:
    """Makes the table that `CREATE TABLE a LIKE b` does, where the other is known."""
    like = next((at for at, word in enumerate(words) if word == "LIKE"), None)
    if like is None:
        return None
    names = [part.name for part in parts[1:like] if part.name and part.text.upper() not in _NO_NAME]
    other = tables.get(name_after(parts, like) or "")
    if other is None or not names:
        return None
    tables.add(replace(other, name=names[-1], references={}))
    return names[-1]


def _dropped_or_renamed(parts: Sequence[Part]) -> Iterator[tuple[str, str | None]]:
    """Yields the tables of DROP TABLE and RENAME TABLE, and what each is called from there on."""
    for one in definitions(parts[1:]):
        named = [part for part in one if not part.is_word(*_NO_NAME)]
        to = next((at for at, part in enumerate(named) if part.is_word("TO")), None)
        names = [part.name for part in named[:to] if part.name is not None and not part.is_word("CASCADE")]
        if names:
            yield names[-1], None if to is None else name_after(named, to)


def _changed(table: Table, change: Sequence[Part]) -> Table:
    """Returns a table after one of the changes that a statement lists."""
    verb, rest = change[0], list(change[1:])
    if rest and rest[0].is_word("COLUMN"):
        rest = rest[1:]
    rest = rest[2:] if [part.text.upper() for part in rest[:2]] == ["IF", "EXISTS"] else rest
    rest = rest[3:] if [part.text.upper() for part in rest[:3]] == ["IF", "NOT", "EXISTS"] else rest
    if not rest:
        return table
    if verb.is_word("DROP"):
        if rest[0].is_word("PRIMARY"):
            return replace(table, unique=table.unique[1:])
        return table if rest[0].is_word(*_OF_KEYS) else _without(table, rest[0].name)
    if verb.is_word("RENAME"):
        if len(rest) > 2 and rest[1].is_word("TO") and rest[0].name is not None:
            return _renamed(table, rest[0].name, rest[2].name or "")
        is_key = rest[0].is_word("KEY", "INDEX")
        name = rest[-1].name
        return table if is_key or name is None else replace(table, name=name)
    if verb.is_word("CHANGE"):
        table = _renamed(table, rest[0].name or "", rest[1].name or "") if len(rest) > 1 else table
        rest = rest[1:]
    elif not verb.is_word("ADD", "MODIFY"):
        return table
    if not rest or rest[0].is_word("PARTITION"):
        return table
    # Several columns may stand in parentheses.
    return with_definitions(table, definitions(rest[1:]) if rest[0].is_symbol("(") else [rest])


def _without(table: Table, name: str | None) -> Table:
    left = tuple(one for one in table.columns if name is None or one.name.lower() != name.lower())
    keys = tuple(key for key in table.unique if (name or "").lower() not in [one.lower() for one in key])
    return replace(table, columns=left, unique=keys)


def _renamed(table: Table, name: str, to: str) -> Table:
    """Returns a table whose column, and what is said of it in keys and references, has another name."""
    columns = tuple(
        replace(one, name=to) if one.name.lower() == name.lower() else one for one in table.columns
    )
    keys = tuple(tuple(to if one.lower() == name.lower() else one for one in key) for key in table.unique)
    references = {to if one.lower() == name.lower() else one: of for one, of in table.references.items()}
    return replace(table, columns=columns, unique=keys, references=references)
