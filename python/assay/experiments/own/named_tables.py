"""Finds the tables that a statement names, each with its database and its alias."""

from __future__ import annotations

from collections.abc import Sequence

from assay.experiments.own.statements import Part, Shape

_JOINS = ("FROM", "JOIN", "STRAIGHT_JOIN", "UPDATE", "INTO", "INSERT", "REPLACE", "TABLE")
_MODIFIERS = ("LOW_PRIORITY", "HIGH_PRIORITY", "DELAYED", "IGNORE", "INTO", "ONLY")
_NO_ALIAS = {
    *("WHERE", "SET", "ON", "USING", "JOIN", "LEFT", "RIGHT", "INNER", "CROSS", "NATURAL", "GROUP", "ORDER"),
    *(
        "HAVING",
        "LIMIT",
        "FOR",
        "LOCK",
        "UNION",
        "USE",
        "FORCE",
        "IGNORE",
        "PARTITION",
        "VALUES",
        "VALUE",
        "SELECT",
    ),
    *(
        "STRAIGHT_JOIN",
        "WINDOW",
        "PROCEDURE",
        "INTO",
        "EXCEPT",
        "INTERSECT",
        "RETURNING",
        "OUTER",
        "WITH",
        "FROM",
    ),
}


def tables_in(shape: Shape) -> list[tuple[str | None, str]]:
    """Returns the tables that a statement names, each with its database where the statement has it."""
    return [(database, name) for database, name, _ in named_tables(shape.parts)]


def named_tables(parts: Sequence[Part]) -> list[tuple[str | None, str, str | None]]:
    """Returns database, name and alias of the tables after FROM, JOIN, UPDATE and INTO."""
    found: list[tuple[str | None, str, str | None]] = []
    defined = {
        parts[at].name
        for at in range(1, len(parts) - 2)
        if parts[at - 1].is_word("WITH", "RECURSIVE") or parts[at - 1].is_symbol(",")
        if parts[at].name and parts[at + 1].is_word("AS") and parts[at + 2].is_symbol("(")
    }
    at = 0
    depth = 0
    subqueries = [True]  # whether each open parenthesis holds a query: FROM inside of EXTRACT names no table
    while at < len(parts):
        part = parts[at]
        if part.is_symbol("("):
            following = parts[at + 1] if at + 1 < len(parts) else part
            named = (at > 0 and parts[at - 1].is_word(*_JOINS)) or (at > 0 and parts[at - 1].is_symbol(","))
            subqueries.append(
                following.is_word("SELECT", "WITH") or following.is_symbol("(") or (named and subqueries[-1])
            )
            depth += 1
        elif part.is_symbol(")") and depth:
            subqueries.pop()
            depth -= 1
        elif (
            part.is_word(*_JOINS)
            and subqueries[-1]
            and not (part.is_word("UPDATE") and at and parts[at - 1].is_word("KEY", "FOR"))
        ):
            at = _tables_from(parts, at + 1, found, several=part.is_word("FROM", "UPDATE"))
            continue
        at += 1
    return [one for one in found if one[1] not in defined]


def _tables_from(
    parts: Sequence[Part], at: int, found: list[tuple[str | None, str, str | None]], *, several: bool
) -> int:
    while at < len(parts) and parts[at].is_word(*_MODIFIERS):
        at += 1
    name = parts[at].name if at < len(parts) else None
    if name is None or (parts[at].kind == "word" and name.upper() in _NO_ALIAS):
        return at
    database = None
    at += 1
    if at + 1 < len(parts) and parts[at].is_symbol(".") and parts[at + 1].name is not None:
        database, name = name, parts[at + 1].name or ""
        at += 2
    alias = None
    if at < len(parts) and parts[at].is_word("AS"):
        at += 1
    if at < len(parts) and parts[at].name is not None:
        word = parts[at]
        if word.kind == "name" or word.text.upper() not in _NO_ALIAS:
            alias = word.name
            at += 1
    found.append((database, name, alias))
    if several and at < len(parts) and parts[at].is_symbol(",") and not parts[at - 1].is_symbol(")"):
        return _tables_from(parts, at + 1, found, several=True)
    return at
