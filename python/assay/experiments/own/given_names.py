"""Finds the names that a statement gives to what it selects: they hide the columns of its tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.experiments.own.statements import Part

_CLAUSES = ("FROM", "WHERE", "HAVING", "GROUP", "ORDER", "LIMIT", "ON", "SET", "UNION", "EXCEPT", "INTERSECT")
_BEFORE_COLUMN = ("SELECT", "DISTINCT", "ALL", "SQL_NO_CACHE", "STRAIGHT_JOIN", "HIGH_PRIORITY")
_NO_NAME = ("FROM", "INTO", "NULL", "END", *_CLAUSES)


class GivenNames:
    """The names that each query of a statement gives, and where they are seen: behind its own HAVING, and in
    every query around it, which reads its rows (MySQL manual, "Problems with Column Aliases").
    """

    def __init__(self, parts: Sequence[Part]) -> None:
        self._above = [-1]  # of each query the one around it
        self._queries: dict[str, set[int]] = {}
        self._places: list[tuple[int, str]] = []  # of each part its query and the clause
        for at, place in enumerate(self._walked(parts)):
            self._places.append(place)
            if place[1] == "SELECT" and (name := _given_at(parts, at)) is not None:
                self._queries.setdefault(name.lower(), set()).add(place[0])

    def hide(self, at: int, column: str) -> bool:
        """Returns whether a name without a table, at a part, is one that was given."""
        query, clause = self._places[at]
        outside = {query}
        while (above := self._above[query]) >= 0:
            outside.add(above)
            query = above
        giving = self._queries.get(column.lower(), set())
        return bool(giving - outside) or (clause == "HAVING" and self._places[at][0] in giving)

    def _walked(self, parts: Sequence[Part]) -> Iterator[tuple[int, str]]:
        """Yields the query and the clause of each part; in parentheses without a query it has no clause but
        HAVING.
        """
        open_queries = [(-1, 0, "")]  # of each open parenthesis the query around it, its own, the clause
        for part in parts:
            above, query, clause = open_queries[-1]
            if part.is_symbol("("):
                open_queries.append((query, query, clause if clause == "HAVING" else ""))
            elif part.is_symbol(")") and len(open_queries) > 1:
                open_queries.pop()
            elif part.is_word("SELECT"):
                self._above.append(above)
                open_queries[-1] = (above, len(self._above) - 1, "SELECT")
            elif part.is_word(*_CLAUSES):
                open_queries[-1] = (above, query, part.text.upper())
            yield open_queries[-1][1:]


def _given_at(parts: Sequence[Part], at: int) -> str | None:
    """Returns the name that a part of a list of columns gives; None where it gives none, or the name of the
    column itself.
    """
    part, before = parts[at], parts[at - 1] if at else None
    name = part.text[1:-1] if part.kind == "text" else part.name
    if name is None or before is None or part.is_word(*_NO_NAME):
        return None
    after = parts[at + 1] if at + 1 < len(parts) else None
    if before.is_word("AS"):
        before = parts[at - 2]
    elif (
        not (after is None or after.is_symbol(",") or after.is_symbol(")") or after.is_word("FROM"))
        or (before.kind == "symbol" and not before.is_symbol(")"))
        or before.is_word(*_BEFORE_COLUMN)
    ):
        return None
    return None if (before.name or "").lower() == name.lower() else name
