"""The rule of order: min ≤ mean ≤ max, p50 ≤ p95 ≤ p99 ≤ max, and a mean that the percentiles allow."""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from statistics import median

from assay.base.numbers import number
from assay.results.audit.metrics import Role, role_of, seconds
from assay.results.audit.model import Cell, Finding, Levels, Material, Table, at
from assay.results.audit.rules.rule import Rule
from assay.results.audit.signs import company

_HIGH, _REST, _BELOW = 0.9, 4, 0.8
"""Percentiles that lie above a mean, the rows that show how far, and the share of that which is odd."""
_STAT = re.compile(r"(?:^|[_\s])(min|avg|mean|average|max)(?:[_\s]|$)")


def _check(material: Material) -> Iterator[Finding]:
    for table in material.tables:
        for row in table.rows.values():
            for low, high in _pairs(row):
                if (
                    _in_one_unit(low.figure.low, low) > _in_one_unit(high.figure.high, high)
                    and high.value >= 0
                ):
                    yield _finding(material, low, high)
            yield from _mean_above(row)
        yield from _mean_above_in_one_row(table)
    yield from _groups(material)


def _in_one_unit(value: float, cell: Cell) -> float:
    return seconds(value, cell.unit) if cell.unit in ("us", "ms", "s", "ns") else value


def _pairs(row: Mapping[str, Cell]) -> Iterator[tuple[Cell, Cell]]:
    """Yields neighbours in the order of statistics, for each quantity whose statistics are printed."""
    groups: dict[str, list[tuple[float, Cell]]] = {}
    for name, cell in row.items():
        role, stat = role_of(name, cell.unit), _STAT.search(name)
        if role is not None and role.quantile is not None:
            stem = re.sub(r"p?\d+([._]\d+)?(th|%)?|_ms$|percentile", "", name).strip("_ ")
            groups.setdefault(stem, []).append((role.quantile, cell))
        elif stat is not None:
            stem = re.sub(r"_ms$", "", _STAT.sub("_", name)).strip("_ ")
            place = {"min": 0.0, "max": 1.0}.get(stat[1], -1.0)
            groups.setdefault(stem, []).append((place, cell))
    for found in groups.values():
        ranks = sorted(((place, cell) for place, cell in found if place >= 0), key=lambda one: one[0])
        yield from ((low, high) for (_, low), (_, high) in itertools.pairwise(ranks))
        for mean in (cell for place, cell in found if place < 0):
            yield from ((cell, mean) for place, cell in ranks if place == 0)
            yield from ((mean, cell) for place, cell in ranks if place == 1)


def _finding(material: Material, low: Cell, high: Cell) -> Finding:
    one, other = company(material, low), company(material, high)
    wrong = low if one and other and abs(one.off) > abs(other.off) else high
    expected = f"at least {low.figure.text}" if wrong is high else f"at most {high.figure.text}"
    return at(
        wrong,
        RULE.name,
        "error",
        "high",
        expected=expected,
        sign=f"{low.metric} {low.figure.text} is above {high.metric} {high.figure.text}",
        second_sign="no set of times can be in this order",
    )


def _mean_above(row: Mapping[str, Cell]) -> Iterator[Finding]:
    """Yields findings where a mean exceeds its bound: q times the q-quantile plus the rest times the
    maximum.
    """
    roles = {
        (role.kind, role.stat): cell for cell in row.values() if (role := role_of(cell.metric, cell.unit))
    }
    mean, most, high = (roles.get(("latency", stat)) for stat in ("mean", "max", "quantile"))
    if mean is None or most is None or high is None or len({mean.unit, most.unit, high.unit}) > 1:
        return
    role = role_of(high.metric, high.unit)
    share = role.quantile if role and role.quantile else 1.0
    limit = share * high.figure.high + (1 - share) * most.figure.high
    if mean.figure.low > limit:
        yield at(
            mean,
            RULE.name,
            "error",
            "high",
            expected=f"at most {number(limit)}",
            sign=f"{high.metric} {high.figure.text} and {most.metric} {most.figure.text} leave no such mean",
            second_sign="no set of times has these three",
        )


def _mean_above_in_one_row(table: Table) -> Iterator[Finding]:
    """Yields findings where a mean exceeds a high percentile in one row of a series, and nothing says why.

    Stalls do that, but they show as a longest time, and rarely at one load point alone.
    """
    series: dict[tuple[Levels, str], list[tuple[Cell, Cell, float]]] = defaultdict(list)
    for (levels, _), row in table.rows.items():
        stats: dict[str, Cell] = {}
        for cell in row.values():
            role = role_of(cell.metric, cell.unit)
            if (
                role is not None
                and role.kind == "latency"
                and not (role.stat == "quantile" and _is_low(role))
            ):
                stats.setdefault(role.stat, cell)
        mean, high = stats.get("mean"), stats.get("quantile")
        if mean and high and "max" not in stats and mean.unit == high.unit and mean.value > 0:
            series[levels, high.metric].append((mean, high, high.value / mean.value))
    for rows in series.values():
        low = [one for one in rows if one[2] < 1]
        rest = [ratio for *_, ratio in rows if ratio >= 1]
        if len(low) != 1 or len(rest) < _REST or max(rest) > 2 * min(rest) or low[0][2] > _BELOW * min(rest):
            continue
        mean, high, _ = low[0]
        yield at(
            high,
            RULE.name,
            "warning",
            "medium",
            expected=f"about {number(mean.value * median(rest))}",
            sign=f"{high.metric} {high.figure.text} is below the mean {mean.figure.text}, which takes stalls",
            second_sign=f"in {len(rest)} other rows it is {min(rest):.2f} to {max(rest):.2f} times the mean",
        )


def _is_low(role: Role) -> bool:
    return role.quantile is None or role.quantile < _HIGH


def _groups(material: Material) -> Iterator[Finding]:
    """Yields findings where, in fio's groups, the least bandwidth of one job is above that of all jobs
    together.
    """
    misses: list[tuple[Cell, Cell]] = []
    for table in material.tables:
        for row in table.rows.values():
            least, whole = row.get("group_minb"), row.get("group_aggrb")
            if least and whole and least.unit == whole.unit and least.figure.low > whole.figure.high:
                misses.append((least, whole))
    if not misses:
        return
    ratios = sorted(least.value / whole.value for least, whole in misses)
    is_of_units = ratios[0] > 1.015 and ratios[-1] < 1.035  # 1.024: one of the two counts in 1000 bytes
    second = "" if is_of_units else "a part cannot be above its whole"
    for least, whole in misses:
        sign = (
            f"one job's least bandwidth {least.figure.text} is"
            f" above that of all, {whole.figure.text} {whole.unit}"
        )
        found = at(
            least,
            RULE.name,
            "warning",
            "high",
            expected=f"at most {whole.figure.text}",
            sign=sign,
            second_sign=second,
        )
        yield replace(found, expected=f"{whole.figure.text}, or another unit")


RULE = Rule(
    "order",
    "min ≤ mean ≤ max and p50 ≤ p95 ≤ p99 ≤ max",
    _check,
    kind="physics",
    must="min ≤ mean ≤ max, p50 ≤ p95 ≤ p99 ≤ max, mean ≤ q · quantile + (1 − q) · max; one job's "
    "bandwidth ≤ that of all",
)
