"""The rule that a table of relative figures follows from the table of absolute ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

from assay.base.numbers import number
from assay.results.audit.figure import Figure
from assay.results.audit.model import Finding, Material, Sheet
from assay.results.audit.reading.cell_text import read_cell
from assay.results.audit.rules.rule import Rule

_LEAST_COLUMNS, _LEAST_KEPT = 3, 5
_PER_CENT = 20.0  # above it figures are quotients in per cent
_ROOM = 0.002
"""Share that roundings of the absolute figures leave open in a quotient."""

Cells = dict[str, dict[str, tuple[int, Figure]]]  # row, column -> line, figure


@dataclass(frozen=True)
class _Relative:
    """A table of quotients, with the row of the other table by which it divides."""

    sheet: Sheet
    absolute: Cells
    printed: Cells
    base: str
    scale: float

    def expected(self, row: str, column: str) -> float:
        return self.scale * self.absolute[row][column][1].value / self.absolute[self.base][column][1].value

    def misses(self) -> list[tuple[str, str]]:
        return [
            (row, column)
            for row, cells in self.printed.items()
            for column, (_, figure) in cells.items()
            if not self._is_kept(row, column, figure)
        ]

    def _is_kept(self, row: str, column: str, figure: Figure) -> bool:
        expected = self.expected(row, column)
        return abs(figure.value - expected) <= figure.step * 1.01 + _ROOM * abs(expected)

    @property
    def cells(self) -> int:
        return sum(len(cells) for cells in self.printed.values())


def _check(material: Material) -> Iterator[Finding]:
    tables = [(sheet, cells) for sheet in material.sheets if not sheet.is_known and (cells := _cells(sheet))]
    for (_, absolute), (sheet, printed) in permutations(tables, 2):
        if _are_alike(absolute, printed) and (found := _relative(sheet, absolute, printed)):
            for row, column in found.misses():
                yield _finding(found, row, column)


def _cells(sheet: Sheet) -> Cells:
    """Returns the figures of a sheet by the name of their row, its first column; none of unnamed rows."""
    first = sheet.columns[0]
    found: Cells = {}
    for line, row in sheet.rows:
        cells = {}
        for column in sheet.columns[1:]:
            figures = read_cell(row[column]).figures
            if len(figures) == 1 and figures[0].figure.value > 0:
                cells[column] = (line, figures[0].figure)
        if row[first] in found or len(cells) < _LEAST_COLUMNS:
            return {}
        found[row[first]] = cells
    return found


def _are_alike(one: Cells, other: Cells) -> bool:
    return one.keys() == other.keys() and all(one[row].keys() == other[row].keys() for row in one)


def _relative(sheet: Sheet, absolute: Cells, printed: Cells) -> _Relative | None:
    """Returns the reading by which most figures of a table are quotients; None where they are none."""
    scale = (
        100.0 if max(figure.value for cells in printed.values() for _, figure in cells.values()) > 20 else 1.0
    )
    tried = [_Relative(sheet, absolute, printed, base, scale) for base in printed]
    best = min(tried, key=lambda one: len(one.misses()))
    kept = best.cells - len(best.misses())
    free = kept - len(printed[best.base])
    return best if 3 * kept > 2 * best.cells and free >= _LEAST_KEPT and _is_varied(best) else None


def _is_varied(found: _Relative) -> bool:
    """Returns whether the quotients differ, so that they say something."""
    rows: Sequence[str] = [row for row in found.printed if row != found.base]
    return len({figure.value for row in rows for _, figure in found.printed[row].values()}) >= 3


def _finding(found: _Relative, row: str, column: str) -> Finding:
    line, figure = found.printed[row][column]
    above, base = found.absolute[row][column][1], found.absolute[found.base][column][1]
    expected = number(found.expected(row, column))
    return Finding(
        RULE.name,
        "error",
        "high",
        found.sheet.file,
        found.sheet.file,
        f"{found.sheet.columns[0]}={row}",
        column,
        line,
        figure.text,
        expected,
        f"{above.text} / {base.text} ({found.base}) is {expected}",
        f"{found.cells - len(found.misses())} other figures of the table are such quotients",
    )


RULE = Rule(
    "relative",
    "relative figures against the absolute ones",
    _check,
    kind="arithmetic",
    must="a table of figures relative to a row follows from the table of absolute figures, and has 1 in "
    "that row",
)
