"""The rule that a printed difference in per cent follows from the two figures beside it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from assay.base.numbers import number
from assay.results.audit.identity import Sum
from assay.results.audit.metrics import is_comparison, role_of
from assay.results.audit.model import Cell, Finding, Levels, Material, Table, at
from assay.results.audit.rules.rule import Rule

_LEAST = 2  # rows that keep a formula
Pair = tuple[Cell, Cell, Cell]  # the first figure, the second, the difference
_FORMULAS: tuple[tuple[str, Callable[[float, float], float]], ...] = (
    ("{b} / {a} - 1", lambda a, b: b / a - 1),
    ("{a} / {b} - 1", lambda a, b: a / b - 1),
    ("1 - {b} / {a}", lambda a, b: 1 - b / a),
    ("1 - {a} / {b}", lambda a, b: 1 - a / b),
)


def _check(material: Material) -> Iterator[Finding]:
    for table in material.tables:
        for pairs in _columns(table):
            yield from _column(pairs)


def _columns(table: Table) -> Iterator[list[Pair]]:
    """Yields the columns of differences, each with the only two figures of their metric in every row."""
    rows: dict[tuple[Levels, float | None], list[Cell]] = defaultdict(list)
    for (levels, rung), row in table.rows.items():
        rows[tuple(one for one in levels if one[0] != "series"), rung] += row.values()
    columns: dict[tuple[str, str], list[Pair]] = defaultdict(list)
    for cells in rows.values():
        for cell in cells:
            series = cell.level("series")
            if cell.unit != "%" or not is_comparison(f"{cell.metric} {series}"):
                continue
            kind = role_of(cell.metric)
            beside = [
                one for one in cells if one.unit != "%" and (kind is None or role_of(one.metric) == kind)
            ]
            if len(beside) == 2 and min(one.value for one in beside) > 0:
                columns[cell.metric, series].append((beside[0], beside[1], cell))
    yield from columns.values()


def _column(pairs: Sequence[Pair]) -> Iterator[Finding]:
    """Yields findings for the rows that break the formula which most of the column keeps."""
    tried = [(text, [_sum(pair, formula) for pair in pairs]) for text, formula in _FORMULAS]
    text, sums = max(tried, key=lambda one: sum(row.kept for row in one[1]))
    kept = sum(one.kept for one in sums)
    if kept < _LEAST or kept <= len(sums) - kept:
        return
    for miss in sums:
        if not miss.kept:
            first, second, cell = miss.where
            formula = text.format(a=first.figure.text, b=second.figure.text)
            is_turned = miss.expected * cell.value < 0
            yield at(
                cell,
                RULE.name,
                "error",
                "high",
                expected=f"{number(miss.expected)} %",
                sign=f"{formula} is {number(miss.expected)} %" + (", of the other sign" if is_turned else ""),
                second_sign=f"so are the differences of {kept} other rows",
            )


def _sum(pair: Pair, formula: Callable[[float, float], float]) -> Sum[Pair]:
    first, second, cell = pair
    values = [
        100 * formula(a, b)
        for a in (first.figure.low, first.figure.high)
        for b in (second.figure.low, second.figure.high)
    ]
    expected = 100 * formula(first.value, second.value)
    return Sum(pair, cell.figure, expected, min(values) - cell.figure.step, max(values) + cell.figure.step)


RULE = Rule(
    "differences",
    "printed differences in per cent, against the two figures beside them",
    _check,
    kind="arithmetic",
    must="a printed difference in per cent follows from the two figures beside it, in the direction "
    "that its column has",
)
