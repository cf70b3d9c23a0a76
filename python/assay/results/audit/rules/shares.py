"""The rule that percentages agree with their counts, sum to 100, and never exceed it."""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping

from assay.base.numbers import number
from assay.results.audit.identity import Sum, broken
from assay.results.audit.metrics import is_comparison, role_of
from assay.results.audit.model import Cell, Finding, Levels, Material, Table, at
from assay.results.audit.rules.rule import Rule
from assay.results.audit.signs import second_sign

_DIMENSIONS = ("transaction", "bucket", "kind", "operation", "type", "series")
_COUNTS = frozenset({"transactions", "rows", "requests", "operations", "ops", "count", "ios", "queries"})

_OF_PROCESSORS = re.compile(r"\bcpu|processor|\bcores?\b")
"""Names of shares that tools count for each processor: four of them have 400 %."""

Group = dict[str, dict[str, Cell]]  # metric -> member of the dimension -> cell


def _check(material: Material) -> Iterator[Finding]:
    for table in material.tables:
        yield from _outside_the_whole(table)
        groups = list(_groups(table))
        yield from _sums_to_100(groups)
        for metric in sorted({name for group in groups for name in group}):
            yield from _of_counts(material, metric, groups)


def _outside_the_whole(table: Table) -> Iterator[Finding]:
    for cell in _shares(table):
        if cell.figure.low > 101 and not _OF_PROCESSORS.search(cell.metric.lower()):
            yield at(
                cell,
                RULE.name,
                "error",
                "high",
                expected="at most 100",
                sign="a share is larger than its whole",
                second_sign="nothing can be more than all",
            )
        elif cell.figure.high < 0:
            yield at(
                cell,
                RULE.name,
                "error",
                "high",
                expected="at least 0",
                sign="a share is below nothing",
                second_sign="nothing can be less than none",
            )


def _shares(table: Table) -> Iterator[Cell]:
    """Yields the percentages that are parts of a whole.

    Percentages of rates and times compare two of them, and so do those of a column that says so or has signs.
    """
    columns: dict[tuple[str, str], list[Cell]] = defaultdict(list)
    for row in table.rows.values():
        for cell in row.values():
            if cell.unit == "%":
                columns[cell.metric, cell.level("series")].append(cell)
    for (metric, series), cells in columns.items():
        role = role_of(metric)
        is_share = role is not None and role.kind in ("share", "load")
        if is_comparison(f"{metric} {series}") or (role is not None and not is_share):
            continue
        if is_share or not any(cell.figure.text.strip().startswith(("+", "-")) for cell in cells):
            yield from cells


def _groups(table: Table) -> Iterator[Group]:
    """Yields groups of cells along one dimension: the transactions of a server, the buckets of a job."""
    for dimension in _DIMENSIONS:
        found: dict[tuple[Levels, float | None], Group] = defaultdict(lambda: defaultdict(dict))
        for (levels, rung), row in table.rows.items():
            named = dict(levels)
            if dimension in named:
                rest = tuple(one for one in levels if one[0] != dimension)
                for cell in row.values():
                    found[rest, rung][cell.metric][named[dimension]] = cell
        yield from found.values()


def _sums_to_100(groups: list[Group]) -> Iterator[Finding]:
    """Yields findings where shares of one whole do not add up to 100, in prints where three groups of four
    do.
    """
    sums: list[Sum[Cell]] = []
    for group in groups:
        for metric, cells in group.items():
            shares = list(cells.values())
            if len(shares) >= 3 and all(one.unit == "%" for one in shares) and "share" in metric:
                total = sum(one.value for one in shares)
                rest = 100 - total
                largest = max(shares, key=lambda one: one.value)
                room = sum(one.figure.step for one in shares) / 2
                expected = largest.value + rest
                sums.append(Sum(largest, largest.figure, expected, expected - room, expected + room))
    for miss in broken(sums):
        total = 100 + miss.printed.value - miss.expected
        sign = (
            f"the shares add up to {number(total)} %, in the other"
            f" {sum(one.kept for one in sums)} groups to 100 %"
        )
        yield at(
            miss.where,
            RULE.name,
            "error",
            "medium",
            expected=f"{number(miss.expected)}, or another of its group",
            sign=sign,
            second_sign=f"shares of one whole cannot make {number(total)} %"
            if total > 101.5 or total < 97
            else "",
        )


def _of_counts(material: Material, metric: str, groups: list[Group]) -> Iterator[Finding]:
    """Yields findings for percentages that break the formula over printed counts that most of them follow."""
    shares = [(group, group[metric]) for group in groups if metric in group]
    if not shares or any(cell.unit != "%" for _, cells in shares for cell in cells.values()):
        return
    counts = sorted(
        {
            name
            for group, _ in shares
            for name, cells in group.items()
            if all(one.unit in _COUNTS for one in cells.values())
        }
    )
    best: list[Sum[Cell]] = []
    for formula in _formulas(counts):
        sums = [one for group, cells in shares for one in _sums(formula, group, cells)]
        if sum(one.kept for one in sums) > sum(one.kept for one in best):
            best = sums
    if len({one.printed.value for one in best}) < 2:
        return
    for miss in broken(best):
        sign = (
            f"the printed counts give {number(miss.expected)} %; so"
            f" they do for {sum(one.kept for one in best)} others"
        )
        second = second_sign(material, miss.where, miss.expected, miss.low, miss.high)
        if not second and abs(miss.off) > 0.02:
            second = "counts are whole numbers: no rounding explains it"
        yield at(
            miss.where,
            RULE.name,
            "error",
            "high",
            expected=number(miss.expected),
            sign=sign,
            second_sign=second,
        )


Formula = Callable[[Mapping[str, Mapping[str, Cell]], str], float | None]


def _formulas(counts: list[str]) -> Iterator[Formula]:
    """Yields the possible formulas: `a / Σ a`, `(a + b) / Σ (a + b)` over the members, and `a / (a + b)` of
    one member.
    """

    def of_all(names: tuple[str, ...]) -> Formula:
        def share(group: Mapping[str, Mapping[str, Cell]], member: str) -> float | None:
            own = sum(group[name][member].value for name in names if member in group.get(name, {}))
            whole = sum(cell.value for name in names for cell in group.get(name, {}).values())
            return 100 * own / whole if whole else None

        return share

    def of_member(part: str, other: str) -> Formula:
        def share(group: Mapping[str, Mapping[str, Cell]], member: str) -> float | None:
            found = [group.get(name, {}).get(member) for name in (part, other)]
            first, second = found
            if first is None or second is None or not first.value + second.value:
                return None
            return 100 * first.value / (first.value + second.value)

        return share

    yield from (of_all((name,)) for name in counts)
    yield from (of_all(pair) for pair in itertools.combinations(counts, 2))
    yield from (of_member(*pair) for pair in itertools.permutations(counts, 2))


def _sums(formula: Formula, group: Group, cells: Mapping[str, Cell]) -> Iterator[Sum[Cell]]:
    for member, cell in cells.items():
        expected = formula(group, member)
        if expected is not None:
            yield Sum(cell, cell.figure, expected, expected, expected)


RULE = Rule(
    "shares",
    "percentages against raw counts, sums of 100 %, nothing above 100 %",
    _check,
    kind="arithmetic",
    must="percentages follow from the counts beside them; shares of one whole add up to 100 %; none is "
    "above 100 % or below 0; a percentage of rates or with a sign is a difference, and no share",
)
