"""What tables repeat: figures that stand in an earlier table, or in other rows of the same one.

A page shows figures once. A table that says nothing new becomes one sentence with the name of the table that
has its figures, and one that is mostly known is closed. The files of tables keep every row.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from assay.base.numbers import number
from assay.reporting.report.tables.model import Cell, Figure, Ratio, Table
from assay.reporting.report.words import Words

_DIGITS = 4
"""Figures are the same where a reader sees the same digits."""
_STEADY = 1e-3  # by which a factor between two tables may vary: retries make it a little uneven
_FEWEST = 3  # figures and equal ratios from which on a constant factor is no chance

Seen = tuple[Hashable, ...]


@dataclass(frozen=True)
class _Told:
    """A table that stands on the page, by what a reader takes from each row."""

    table: Table

    @cached_property
    def rows(self) -> list[frozenset[Hashable]]:
        return [frozenset(seen(cell) for cell in row if cell is not None) for row in self.table.rows]

    @cached_property
    def figures(self) -> list[Hashable]:
        """The figures, whether they stand as a ratio with its word or alone."""
        return [
            tuple(map(_rounded, (cell.value, cell.low, cell.high)))
            for row in self.table.rows
            for cell in row
            if isinstance(cell, Figure | Ratio) and cell.value
        ]

    @cached_property
    def known(self) -> frozenset[Hashable]:
        return frozenset(self.figures)

    def stands_in(self, other: _Told) -> bool:
        """Returns True where each row is part of a row of the other table."""
        return self.known <= other.known and all(
            any(part <= whole for whole in other.rows) for part in self.rows
        )


def without_repeats(tables: Iterable[Table], words: Words) -> list[Table]:
    """Returns the tables in their order, as a page shows them: a table whose rows stand in an earlier one has
    a sentence instead, and one with half of its figures in earlier ones is closed.
    """
    earlier: list[_Told] = []
    known: set[Hashable] = set()
    shown: list[Table] = []
    for table in tables:
        own = _Told(_without_equal_rows(table, words))
        if not own.figures:
            shown.append(own.table)
        elif sentence := _said_before(own, earlier, words):
            shown.append(replace(own.table, rows=(), empty=sentence, note="", folded=False))
        else:
            is_known = 2 * sum(figure in known for figure in own.figures) >= len(own.figures)
            shown.append(replace(own.table, folded=own.table.folded or is_known))
            earlier.append(own)
            known |= own.known
    return shown


def seen(cell: Cell) -> Hashable:
    """Returns what a reader takes from a cell: figures by their digits, everything else as it is."""
    match cell:
        case Figure() | Ratio():
            sign = cell.word if isinstance(cell, Ratio) else cell.at_least
            return type(cell).__name__, sign, *map(_rounded, (cell.value, cell.low, cell.high))
    return cell


def _rounded(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.{_DIGITS}g}")


def _is_figure(cell: Cell) -> bool:
    """Returns True for a figure that tells two rows apart; many counters are 0 everywhere."""
    return isinstance(cell, Figure | Ratio) and bool(cell.value)


def _without_equal_rows(table: Table, words: Words) -> Table:
    """Returns the table without the rows of a name, its first cell, whose other cells are all those of an
    earlier name; the note says which.
    """
    rows: dict[str, list[Seen]] = defaultdict(list)
    named: set[str] = set()
    for first, *others in table.rows:
        if isinstance(first, str):
            rows[first].append(tuple(map(seen, others)))
            named |= {first} if any(map(_is_figure, others)) else set()
    first_with: dict[tuple[Seen, ...], str] = {}
    alike = {name: first_with.setdefault(tuple(rows[name]), name) for name in rows if name in named}
    repeated = {name: other for name, other in alike.items() if name != other}
    if not repeated:
        return table
    names: dict[str, list[str]] = defaultdict(list)
    for name, other in repeated.items():
        names[other].append(name)
    said = [words("repeat.rows", names=words.listed(of), other=other) for other, of in names.items()]
    return replace(
        table,
        rows=tuple(row for row in table.rows if row[0] not in repeated),
        note=words.sentences([*said, *([table.note] if table.note else [])]),
    )


def _said_before(table: _Told, earlier: Sequence[_Told], words: Words) -> str:
    """Returns the sentence for a table whose figures stand in an earlier one; "" for one with news."""
    title = table.table.title
    for other in earlier:
        if table.stands_in(other):
            return words("repeat.same", title=title, other=other.table.title)
        if (times := _times(table.table, other.table)) is not None:
            return words("repeat.times", title=title, other=other.table.title, times=number(times))
    return ""


def _times(table: Table, other: Table) -> float | None:
    """Returns the factor that leads from the other table's figures to those of this one; None without one."""
    if [len(row) for row in table.rows] != [len(row) for row in other.rows]:
        return None
    factors, equal = [], 0
    for ours, theirs in zip(table.rows, other.rows, strict=True):
        for one, two in zip(ours, theirs, strict=True):
            if not (isinstance(one, Figure) and isinstance(two, Figure)):
                if seen(one) != seen(two):
                    return None
                equal += isinstance(one, Ratio) and bool(one.value)
            elif one.value is None or not two.value:
                if one.value != two.value:
                    return None
            else:
                factors.append(one.value / two.value)
    ordered = sorted(factors)
    if not ordered or len(ordered) + equal < _FEWEST or ordered[-1] - ordered[0] > _STEADY * ordered[0]:
        return None
    return float(f"{ordered[len(ordered) // 2]:.{_DIGITS}g}")


def notes_once(tables: Iterable[Table]) -> list[Table]:
    """Returns the tables without notes that stand under the table before, in whole or at their beginning."""
    found = list(tables)
    told: set[str] = set()
    shown = []
    for table in found:
        known = max((note for note in told if table.note.startswith(note)), key=len, default="")
        told |= {table.note} if table.rows and table.note else set()
        shown.append(replace(table, note=table.note.removeprefix(known).strip()))
    return shown
