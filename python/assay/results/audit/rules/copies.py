"""The rule that finds repeated tables and columns: the same figures under another name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from assay.results.audit.alike import Alike, alike, name_of
from assay.results.audit.model import Cell, Finding, Material, at
from assay.results.audit.rules.rule import Rule


def _check(material: Material) -> Iterator[Finding]:
    whole = [one for one in alike(material) if not one.different and len(one.one) == len(one.other)]
    tables: dict[tuple[str, str, str, str], list[Alike]] = defaultdict(list)
    for found in whole:
        tables[found.first.file, found.first.table, found.second.file, found.second.table].append(found)
    for (file, name, other_file, other), pairs in tables.items():
        if (file, name) == (other_file, other):
            yield from _in_one_table(material, pairs)
        elif (
            _all_series(material, pairs[0].first)
            == len({id(one.one) for one in pairs})
            == _all_series(material, pairs[0].second)
            and len(pairs) >= 2
        ):
            yield _table(pairs)
        else:
            yield _reused(pairs)


def _all_series(material: Material, cell: Cell) -> int:
    return sum(
        curve.first.file == cell.file and key[1] == cell.table for key, curve in material.series.items()
    )


def _table(pairs: list[Alike]) -> Finding:
    cell, first = pairs[0].second, pairs[0].first
    cells = sum(len(one.same) for one in pairs)
    found = at(
        cell,
        RULE.name,
        "error",
        "high",
        expected="figures of its own",
        sign=f"the whole table is {first.table} ({first.file}) again",
        second_sign=f"{cells} figures of {len(pairs)} series are the same to the last digit",
    )
    return replace(found, row="every row", column="every column", printed=f"{cells} figures")


def _in_one_table(material: Material, pairs: list[Alike]) -> Iterator[Finding]:
    """Yields findings for two equal columns of one table, a copy where other metrics of their rows are equal
    too.
    """
    both: dict[tuple[object, object], list[Alike]] = defaultdict(list)
    for one in pairs:
        both[one.first.levels, one.second.levels].append(one)
    for found in both.values():
        first, second = found[0].first, found[0].second
        metrics = {
            key[2]
            for key in material.series
            if key[1] == first.table and key[3] in (first.levels, second.levels)
        }
        if metrics != {one.first.metric for one in found}:
            continue
        cell = found[0].second
        digits = sum(cell.figure.digits for one in found for cell in one.one.values())
        yield replace(
            at(
                cell,
                RULE.name,
                "error",
                "high",
                expected="figures of its own",
                sign=f"the column is that of {name_of(found[0].first)} again",
                second_sign=f"{digits} digits agree over {len(found[0].same)} rungs",
            ),
            row="every row",
            printed=f"{len(found[0].same)} figures",
        )


def _reused(pairs: list[Alike]) -> Finding:
    """Returns a note on one column in two tables: usually a baseline that was measured once, which is no
    defect by itself.
    """
    cell, first = pairs[0].second, pairs[0].first
    metrics = ", ".join(sorted({one.first.metric for one in pairs}))
    found = at(
        cell,
        RULE.name,
        "note",
        "low",
        expected="a separate run, or a statement that it is shared",
        sign=f"{metrics}: the same figures as {name_of(first)}; one run under two names",
    )
    return replace(found, row=name_of(cell), printed=f"{len(pairs[0].same)} figures")


RULE = Rule("copies", "tables and columns that stand a second time under another name", _check)
