"""Finds what each value of a statement is for: the column that it is compared with, the row that it fills, a
limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from assay.experiments.own.given_names import GivenNames
from assay.experiments.own.named_tables import named_tables
from assay.experiments.own.schema import Tables
from assay.experiments.own.statements import Part, Shape

Role = Literal["equal", "range", "like", "set", "insert", "limit", "digits", "other"]

_ARITHMETIC = ("+", "-", "*", "/", "%", "|", "&", "^")
_WITH_DIGITS = (
    "NOW",
    "SYSDATE",
    "CURTIME",
    "CURRENT_TIMESTAMP",
    "LOCALTIME",
    "LOCALTIMESTAMP",
    "UTC_TIMESTAMP",
)
"""Functions that take a number of digits, which digests leave out."""
_BEFORE_OPERAND = {
    *(
        "WHERE",
        "AND",
        "OR",
        "XOR",
        "NOT",
        "ON",
        "HAVING",
        "WHEN",
        "IF",
        "SELECT",
        "DISTINCT",
        "SET",
        "BETWEEN",
        "UPDATE",
    ),
}
_COMPARISONS = {
    "=": "equal",
    "<=>": "equal",
    "<": "range",
    ">": "range",
    "<=": "range",
    ">=": "range",
    "<>": "other",
    "!=": "other",
}


@dataclass(frozen=True)
class Bound:
    """What a value is for. `table` and `column` where one is known; `second` marks the end of a BETWEEN."""

    role: Role
    table: str | None = None
    column: str | None = None
    second: bool = False

    @property
    def is_of_column(self) -> bool:
        return self.table is not None and self.column is not None


def bindings(shape: Shape, tables: Tables) -> list[Bound]:
    """Returns what the values of each slot of a shape are for."""
    reader = _Reader(shape.parts, tables)
    return [reader.bound(slot.at) for slot in shape.slots]


class _Reader:
    """Looks around a value of a statement."""

    def __init__(self, parts: Sequence[Part], tables: Tables) -> None:
        self.parts = parts
        self.tables = tables
        named = named_tables(parts)
        self.names: dict[str, str | None] = {}
        inserts = any(part.is_word("INSERT", "REPLACE") for part in parts[:3])
        # Columns of the table that an INSERT fills are compared with nothing.
        compared = named[1:] if inserts and len(named) > 1 else named
        for _, name, alias in compared:
            for word in (alias or name,):
                known = self.names.get(word.lower(), name)
                # Two tables under one name, in two subqueries: which is meant is not known.
                self.names[word.lower()] = name if known == name else None
        self.target = named[0][1] if named else None
        self.row_columns = self._row_columns()
        self.given = GivenNames(parts)

    def bound(self, at: int) -> Bound:
        """Returns what the value at a part is for."""
        if at > 1 and self.parts[at - 1].is_symbol("(") and self.parts[at - 2].is_word(*_WITH_DIGITS):
            return Bound("digits")
        if (inserted := self._inserted(at)) is not None:
            return inserted
        before = self.parts[at - 1] if at else None
        after = self.parts[at + 1] if at + 1 < len(self.parts) else None
        computes = after is not None and (after.is_word("DIV", "MOD") or after.text in _ARITHMETIC)
        if before is None or (computes and after is not None and after.kind in ("symbol", "word")):
            return Bound("other")
        if before.is_word("LIMIT", "OFFSET") or (before.is_symbol(",") and self._after_limit(at)):
            return Bound("limit")
        if before.is_symbol("(") and at > 1 and self.parts[at - 2].is_word("IN"):
            negated = self.parts[at - 3].is_word("NOT") if at > 2 else False
            return self._of_column("equal", at - 3 - negated)
        if before.is_word("LIKE", "REGEXP", "RLIKE"):
            negated = self.parts[at - 2].is_word("NOT") if at > 1 else False
            return self._of_column("like", at - 2 - negated)
        if before.is_word("BETWEEN"):
            negated = self.parts[at - 2].is_word("NOT") if at > 1 else False
            return self._of_column("range", at - 2 - negated)
        if (
            before.is_word("AND")
            and at > 3
            and self.parts[at - 2].kind == "value"
            and self.parts[at - 3].is_word("BETWEEN")
        ):
            first = self.bound(at - 2)
            return Bound("range", first.table, first.column, second=True)
        operator, start = self._operator(at - 1)
        if operator in _COMPARISONS:
            if operator == "=" and self._is_assignment(start):
                return self._of_column(self._assigns(start), start - 1, last=True)
            if operator == "=" and (tupled := self._of_tuple(at, start)) is not None:
                return tupled
            return self._of_column(_COMPARISONS[operator], start - 1)  # type: ignore[arg-type]
        return self._before_operator(at)

    def _operator(self, end: int) -> tuple[str, int]:
        """Returns the symbols that end at a part, and where they begin."""
        start = end
        while (
            start > 0
            and end - start < 2
            and self.parts[start - 1].kind == "symbol"
            and self.parts[start - 1].text in "<>=!"
            and not self.parts[start].spaced
        ):
            start -= 1
        text = "".join(part.text for part in self.parts[start : end + 1])
        return (text, start) if self.parts[end].kind == "symbol" else ("", end)

    def _before_operator(self, at: int) -> Bound:
        """Returns what a value is for that stands in front: `5 < t.c`."""
        end = at + 1
        while (
            end < len(self.parts)
            and end - at < 4
            and self.parts[end].kind == "symbol"
            and self.parts[end].text in "<>=!"
        ):
            end += 1
        text = "".join(part.text for part in self.parts[at + 1 : end])
        before = self.parts[at - 1]
        if text not in _COMPARISONS or not (before.is_word(*_BEFORE_OPERAND) or before.is_symbol("(")):
            return Bound("other")
        last = end
        while last + 2 < len(self.parts) and self.parts[last + 1].is_symbol("."):
            last += 2
        after = self.parts[last + 1] if last + 1 < len(self.parts) else None
        if after is not None and after.kind == "symbol" and after.text not in ");,":
            return Bound("other")
        return self._of_column(_COMPARISONS[text], last, first=end)  # type: ignore[arg-type]

    def _of_column(self, role: Role, end: int, *, first: int | None = None, last: bool = False) -> Bound:
        """Returns a role with the column whose name ends at a part, where one does."""
        if end < 0 or self.parts[end].name is None:
            return Bound(role)
        names = [self.parts[end].name or ""]
        at = end
        while at > 1 and self.parts[at - 1].is_symbol(".") and self.parts[at - 2].name is not None:
            names.insert(0, self.parts[at - 2].name or "")
            at -= 2
        before = self.parts[at - 1] if at else None
        plain = (
            first is not None
            or before is None
            or before.is_word(*_BEFORE_OPERAND)
            or (before.kind == "symbol" and before.text in "(,")
        )
        if not plain:
            return Bound(role)
        if len(names) == 1 and self.given.hide(end, names[0]):
            return Bound(role)
        table = self._table(names, is_target=last)
        return Bound(role, table, names[-1] if table else None)

    def _table(self, names: Sequence[str], *, is_target: bool = False) -> str | None:
        """Returns the table of a column; None where it is not known."""
        column = names[-1]
        if len(names) > 1:
            name = self.names.get(names[-2].lower())
            return name if name is not None and self._has(name, column) else None
        real = {name for name in self.names.values() if name is not None}
        if len(real) == 1 and len(self.names) == 1:
            name = next(iter(real))
            return name if self._has(name, column) else None
        if is_target and self.target is not None and self._has(self.target, column):
            return self.target
        having = [
            name
            for name in sorted(real)
            if (table := self.tables.get(name)) is not None and table.column(column) is not None
        ]
        return having[0] if len(having) == 1 else None

    def _has(self, name: str, column: str) -> bool:
        """Returns whether a table has a column; one that is not known may."""
        table = self.tables.get(name)
        return table is None or table.column(column) is not None

    def _after_limit(self, at: int) -> bool:
        return at > 2 and self.parts[at - 2].kind == "value" and self.parts[at - 3].is_word("LIMIT")

    def _is_assignment(self, start: int) -> bool:
        """Returns whether `=` assigns: after SET or ON DUPLICATE KEY UPDATE, and before any WHERE."""
        depth = 0
        for at in range(start - 1, -1, -1):
            part = self.parts[at]
            depth += part.is_symbol(")") - part.is_symbol("(")
            if depth < 0 or (
                depth == 0 and part.is_word("WHERE", "ON", "HAVING", "WHEN", "AND", "OR", "SELECT")
            ):
                return False
            if depth == 0 and (
                part.is_word("SET") or (part.is_word("UPDATE") and at and self.parts[at - 1].is_word("KEY"))
            ):
                return True
        return False

    def _assigns(self, start: int) -> Role:
        """Returns whether an assignment fills a new row, `INSERT … SET a = 1`, or changes one."""
        inserts = any(part.is_word("INSERT", "REPLACE") for part in self.parts[:3])
        return (
            "insert"
            if inserts and not any(part.is_word("DUPLICATE") for part in self.parts[:start])
            else "set"
        )

    def _of_tuple(self, at: int, start: int) -> Bound | None:
        """Returns nothing but for `(a, b) = (1, 2)`, which is left to the values that were seen."""
        return Bound("equal") if self.parts[start - 1].is_symbol(")") else None

    def _row_columns(self) -> list[str] | None:
        """Returns the columns that the rows of an INSERT fill; None where they are not known."""
        if not self.parts or not any(part.is_word("INSERT", "REPLACE") for part in self.parts[:3]):
            return None
        rows = next((at for at, part in enumerate(self.parts) if part.is_word("VALUES", "VALUE")), None)
        if rows is None or self.target is None:
            return None
        if self.parts[rows - 1].is_symbol(")"):
            start = rows - 1
            while start and not self.parts[start].is_symbol("("):
                start -= 1
            listed = zip(self.parts[start:rows], self.parts[start + 1 : rows + 1], strict=True)
            return [one.name for one, after in listed if one.name is not None and not after.is_symbol(".")]
        table = self.tables.get(self.target)
        return None if table is None else [column.name for column in table.columns]

    def _inserted(self, at: int) -> Bound | None:
        """Returns the column that a value of an INSERT fills; None for a value that fills none."""
        rows = next((place for place, part in enumerate(self.parts) if part.kind == "rows"), None)
        end = next((place for place, part in enumerate(self.parts) if part.kind == "end"), None)
        if rows is None or end is None or not rows < at < end:
            return None
        if not any(part.is_word("INSERT", "REPLACE") for part in self.parts[:3]):
            return self._in_rows(rows, at)
        depth = column = 0
        for part in self.parts[rows + 2 : at]:
            depth += part.is_symbol("(") - part.is_symbol(")")
            column += depth == 0 and part.is_symbol(",")
        alone = (self.parts[at - 1].is_symbol("(") or self.parts[at - 1].is_symbol(",")) and depth == 0
        alone = alone and (self.parts[at + 1].is_symbol(",") or self.parts[at + 1].is_symbol(")"))
        known = self.row_columns
        if not alone or known is None or column >= len(known):
            return Bound("insert" if alone else "other", self.target)
        return Bound("insert", self.target, known[column])

    def _in_rows(self, rows: int, at: int) -> Bound:
        """Returns the column of a value in `(a, b) IN ((1, 2))`."""
        start = rows - 3  # before IN and its parenthesis
        if start < 0 or not self.parts[start].is_symbol(")"):
            return Bound("equal")
        names: list[list[str]] = [[]]
        while start > 0 and not self.parts[start - 1].is_symbol("("):
            start -= 1
            if self.parts[start].is_symbol(","):
                names.insert(0, [])
            elif (name := self.parts[start].name) is not None:
                names[0].insert(0, name)
        number = sum(part.is_symbol(",") for part in self.parts[rows:at])
        if number >= len(names) or not names[number]:
            return Bound("equal")
        table = self._table(names[number])
        return Bound("equal", table, names[number][-1] if table else None)
