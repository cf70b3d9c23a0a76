"""The rule that parts add up to the total printed beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from assay.base.numbers import plain
from assay.results.audit.figure import one_slip_away
from assay.results.audit.identity import Sum, broken, nearly
from assay.results.audit.model import Cell, Finding, Material, at
from assay.results.audit.rules.rule import Rule
from assay.results.audit.signs import second_sign

_PARTS = ("read", "write", "other")
_WHOLE = re.compile(r"(?:^|[_\s])(total|sum)(?:[_\s]|$)")


def _check(material: Material) -> Iterator[Finding]:
    for table in material.tables:
        sums = [found for row in table.rows.values() if (found := _sum(row))]
        kept = sum(one.kept for one in sums)
        for miss in _missing(sums):
            yield _finding(material, miss, kept, len(sums))
        for miss in nearly(sums):
            yield at(
                miss.where,
                RULE.name,
                "note",
                "low",
                expected=plain(miss.expected, 6),
                sign=f"the parts come to {100 * miss.off:+.2f} %",
            )


def _missing(sums: list[Sum[Cell]]) -> list[Sum[Cell]]:
    """Returns the sums that miss; of one or two rows each, because they say nothing of the table."""
    return broken(sums, is_arithmetic=True) if len(sums) >= 3 else [one for one in sums if not one.kept]


def _sum(row: Mapping[str, Cell]) -> Sum[Cell] | None:
    """Returns the sum of a row, `read_x` + `write_x` = `x_total` or `total_x`; None where it lacks a total,
    or two parts.
    """
    for name, whole in row.items():
        if not _WHOLE.search(name):
            continue
        stem = _WHOLE.sub("_", name).strip("_ ")
        parts = [
            row[found]
            for part in _PARTS
            for found in (f"{part}_{stem}", f"{stem}_{part}", f"{part} {stem}")
            if found in row
        ]
        if len(parts) >= 2 and stem:
            figures = [part.figure for part in parts]
            return Sum(
                whole,
                whole.figure,
                sum(one.value for one in figures),
                sum(one.low for one in figures),
                sum(one.value + one.step / 2 for one in figures),
            )
    return None


def _finding(material: Material, miss: Sum[Cell], kept: int, rows: int) -> Finding:
    sign = f"the parts add up to {plain(miss.expected, 6)}, {100 * miss.off:+.1f} % is printed"
    second = second_sign(material, miss.where, miss.expected, miss.low, miss.high)
    if not second and one_slip_away(miss.printed, miss.expected, miss.expected):
        second = f"one wrong digit makes {miss.printed.text} of {plain(miss.expected, 6)}"
    if not second and kept >= 2:
        second = f"the parts add up in {kept} of {rows} rows"
    return at(
        miss.where,
        RULE.name,
        "error",
        "high",
        expected=plain(miss.expected, 6),
        sign=sign,
        second_sign=second,
    )


RULE = Rule(
    "whole-and-parts",
    "reads + writes = total, and the like",
    _check,
    kind="arithmetic",
    must="reads + writes = total",
)
