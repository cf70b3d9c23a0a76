"""The rule that one series, printed twice, has the same value at a rung."""

from __future__ import annotations

from collections.abc import Iterator

from assay.base.numbers import plain
from assay.results.audit.alike import alike, name_of
from assay.results.audit.model import Cell, Finding, Material, at
from assay.results.audit.rules.queries import rates_of
from assay.results.audit.rules.ratios import pairs_of
from assay.results.audit.rules.rule import Rule
from assay.results.audit.signs import company


def _check(material: Material) -> Iterator[Finding]:
    told: set[tuple[str, float, frozenset[str]]] = set()
    for pair in alike(material):
        for rung in pair.different:
            one, other = pair.one[rung], pair.other[rung]
            if (one.file, one.table) == (other.file, other.table):
                continue  # a column of extremes has the figures of the runs beside it
            key = (one.metric, rung, frozenset(plain(cell.value, 5) for cell in (one, other)))
            if key in told:
                continue
            told.add(key)
            yield _finding(material, one, other, len(pair.same))


def _finding(material: Material, one: Cell, other: Cell, same: int) -> Finding:
    first, second = company(material, one), company(material, other)
    is_first = first is not None and second is not None and abs(first.off) > abs(second.off)
    if _keeps_ratio(material, one) != _keeps_ratio(material, other):
        is_first = _keeps_ratio(material, other)
    wrong, right = (one, other) if is_first else (other, one)
    off = abs(wrong.value / right.value - 1) if right.value else 1.0
    sign = (
        f"{wrong.figure.text} in {name_of(wrong)} ({wrong.file}), {right.figure.text} in {name_of(right)}"
        f" ({right.file}): the same series, {100 * off:.1f} % apart at {wrong.axis}={wrong.rung:g}"
    )
    return at(
        wrong,
        RULE.name,
        "error" if off > 0.01 else "warning",
        "high",
        expected=right.figure.text,
        sign=sign,
        second_sign=f"the other {same} rungs agree to the last digit",
    )


def _keeps_ratio(material: Material, cell: Cell) -> bool:
    """Returns whether the row of a figure has as many queries a transaction as its table, to the digit."""
    for table in material.tables:
        sums = pairs_of(list(rates_of(table)))
        for one in sums:
            if cell in one.where:
                return one.exact
    return False


RULE = Rule(
    "two-values",
    "one series, printed twice, with two values",
    _check,
    kind="copies",
    must="a series that is printed twice has the same values",
)
