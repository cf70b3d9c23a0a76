"""The rule that finds repeated tables and columns: the same figures under another name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from assay.results.audit.alike import Alike, alike, name_of
from assay.results.audit.metrics import role_of
from assay.results.audit.model import Cell, Finding, Material, at
from assay.results.audit.rules.rule import Rule
from assay.results.audit.statements import Kind, by_study

_SAYING: tuple[Kind, ...] = ("setting", "claim")
"""What a study says beside its tables, and where it could say that they share a run."""
_RATES = ("tps", "qps", "iops", "bandwidth", "tpmc")
_MOST = 5
_DIGITS, _TABLES = 3, 3
"""Digits of a figure, and tables that print it, from which on it is one run."""


def _check(material: Material) -> Iterator[Finding]:
    whole = [one for one in alike(material) if not one.different and (_is_whole(one) or _is_most(one))]
    tables: dict[tuple[str, str, str, str], list[Alike]] = defaultdict(list)
    for found in whole:
        tables[found.first.file, found.first.table, found.second.file, found.second.table].append(found)
    for (file, name, other_file, other), pairs in tables.items():
        if (file, name) == (other_file, other):
            yield from _in_one_table(material, [one for one in pairs if _is_whole(one)])
        elif (
            _all_series(material, pairs[0].first)
            == len({id(one.one) for one in pairs})
            == _all_series(material, pairs[0].second)
            and len(pairs) >= 2
            and all(_is_whole(one) for one in pairs)
        ):
            yield _table(pairs)
        else:
            yield _reused(material, pairs)
    yield from _one_figure(material)


def _is_whole(one: Alike) -> bool:
    return len(one.one) == len(one.other)


def _is_most(one: Alike) -> bool:
    """Returns whether one of two tables of a study only has some further load points."""
    return bool(one.first.study) and len(one.same) >= max(_MOST, len(one.one) - 2, len(one.other) - 2)


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


def _reused(material: Material, pairs: list[Alike]) -> Finding:
    """Returns a finding on one column in tables for different factors, where nothing says that it is one run;
    a note where it may be a baseline that was measured once.
    """
    cell, first = pairs[0].second, pairs[0].first
    metrics = ", ".join(sorted({one.first.metric for one in pairs}))
    own, others = _varied(cell), _varied(first)
    is_silent = bool(cell.study and own and others) and not own.keys() & others.keys()
    is_silent = is_silent and any(by_study(material, kind).get(cell.study) for kind in _SAYING)
    declared = _declared(material, cell.study)
    is_silent = is_silent and not all(place in declared for place in (*own.items(), *others.items()))
    found = at(
        cell,
        RULE.name,
        "warning" if is_silent else "note",
        "medium" if is_silent else "low",
        expected="a separate run, or a statement that it is shared",
        sign=f"{metrics}: the same figures as {name_of(first)}; one run under two names",
        second_sign=f"they vary {', '.join(others)} and {', '.join(own)}, and none says the other's level"
        if is_silent
        else "",
    )
    return replace(found, row=name_of(cell), printed=f"{len(pairs[0].same)} figures")


def _varied(cell: Cell) -> dict[str, str]:
    return {name: level for name, level in cell.levels if name != "workload" and level}


def _declared(material: Material, study: str) -> set[tuple[str, str]]:
    """Returns the levels that a study declares to be its defaults, so that tables may share them."""
    return {
        (row["param"], row["value"])
        for sheet in material.with_columns("param", "order", "value")
        for _, row in sheet.rows
        if row.get("study", "") == study and row.get("stated_default")
    }


def _one_figure(material: Material) -> Iterator[Finding]:
    """Yields findings for one rate that several tables without load points print, each for another factor."""
    prints: dict[tuple[str, str, float], dict[str, Cell]] = defaultdict(dict)
    for cell in material.cells:
        role = role_of(cell.metric, cell.unit)
        is_rate = role is not None and role.kind in _RATES and role.stat == "mean"
        if cell.study and cell.rung is None and is_rate and cell.figure.digits >= _DIGITS:
            factor = ", ".join(_varied(cell))
            prints[cell.study, cell.metric, cell.value].setdefault(factor, cell)
    for (_, metric, _), cells in prints.items():
        if len(cells) >= _TABLES:
            first, *others = cells.values()
            yield at(
                others[0],
                RULE.name,
                "warning",
                "medium",
                expected="a run of its own in each table",
                sign=f"{metric} {first.figure.text} is in {len(cells)} tables ({', '.join(cells)}): one run",
                second_sign=f"{len(cells)} runs do not agree to the digit, and no table has another",
            )


RULE = Rule(
    "copies",
    "tables and columns that stand a second time under another name",
    _check,
    kind="copies",
    must="no table, and no column with all its metrics, appears twice; a run that serves in tables for "
    "several settings is said to be one",
)
