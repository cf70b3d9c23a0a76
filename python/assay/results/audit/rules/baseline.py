"""The rule that tables of one study share a baseline: each varies one factor of the same installation."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from statistics import median

from assay.results.audit.metrics import role_of
from assay.results.audit.model import Curve, Finding, Material, at
from assay.results.audit.reading.words import CONCURRENCY
from assay.results.audit.rules.rule import Rule
from assay.results.audit.signs import log_ratio

_RATES = ("tps", "qps", "iops", "bandwidth")
_NEAR = 0.05
"""Log-ratio, in the median over the ladder, up to which two curves may be of one configuration: starts of one
server differ by 5 % (docs/method/statistics.md)."""
_LEAST_RUNGS = 4
_LEAST_TABLES = 3


@dataclass(frozen=True)
class _Sweep:
    """One table that varies one factor under a load."""

    table: str
    factor: str
    curves: tuple[Curve, ...]


def _check(material: Material) -> Iterator[Finding]:
    told: set[str] = set()
    for sweeps in _sweeps(material):
        parts = _parts(sweeps)
        if len(parts) < 2 or len(sweeps) < _LEAST_TABLES:
            continue
        for part in parts[1:]:
            for sweep in part:
                near = [(_apart(sweep, other), other) for other in parts[0] if other.factor != sweep.factor]
                near = [one for one in near if one[0] is not None]
                if near and sweep.table not in told:
                    told.add(sweep.table)
                    yield _finding(sweep, parts[0], min(near, key=lambda one: one[0] or 0.0))


def _sweeps(material: Material) -> Iterator[list[_Sweep]]:
    """Yields the tables of a study that vary different factors under one workload, by metric."""
    tables: dict[tuple[str, str, str, str], dict[str, list[tuple[dict[str, str], Curve]]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for (study, table, metric, levels, axis), curve in material.series.items():
        cell = next(iter(curve.values()))
        role, named = role_of(metric, cell.unit), dict(levels)
        if axis in CONCURRENCY and role and role.kind in _RATES and role.stat == "mean" and study:
            rest = {name: level for name, level in named.items() if name != "workload"}
            tables[study, named.get("workload", ""), metric, axis][table].append((rest, curve))
    for (_, workload, _, _), found in tables.items():
        sweeps = []
        for table, rows in found.items():
            varied = {
                name
                for name in rows[0][0]
                if len({levels.get(name, "") for levels, _ in rows}) == len(rows) > 1
            }
            fixed = [name for name in rows[0][0] if name not in varied]
            if len(varied) == 1 and not fixed and workload:
                sweeps.append(_Sweep(table, varied.pop(), tuple(curve for _, curve in rows)))
        yield sweeps


def _parts(sweeps: Sequence[_Sweep]) -> list[list[_Sweep]]:
    """Returns the groups of tables that have a curve in common, directly or through others, the largest
    first.
    """
    groups = [{number} for number in range(len(sweeps))]
    for one, other in combinations(range(len(sweeps)), 2):
        apart = _apart(sweeps[one], sweeps[other])
        if apart is None or apart > _NEAR:
            continue
        joined = [group for group in groups if one in group or other in group]
        groups = [group for group in groups if group not in joined] + [set().union(*joined)]
    return [
        [sweeps[number] for number in sorted(group)]
        for group in sorted(groups, key=lambda g: (-len(g), min(g)))
    ]


def _apart(one: _Sweep, other: _Sweep) -> float | None:
    """Returns the log-ratio between the two nearest curves of two tables; None where they share few rungs."""
    found = []
    for first in one.curves:
        for second in other.curves:
            common = [
                rung for rung in first.keys() & second.keys() if first[rung].value > 0 < second[rung].value
            ]
            if len(common) >= _LEAST_RUNGS:
                found.append(median(abs(log_ratio(first[rung].value, second[rung].value)) for rung in common))
    return min(found, default=None)


def _finding(sweep: _Sweep, usual: Sequence[_Sweep], near: tuple[float | None, _Sweep]) -> Finding:
    curve = sweep.curves[0]
    cell = curve[min(curve)]
    apart, other = near
    others = [one.table for one in usual]
    return replace(
        at(
            cell,
            RULE.name,
            "warning",
            "medium",
            expected=f"a level with the figures of a level of {other.table}",
            sign=f"no level of {sweep.factor} comes near one of {other.table}: {100 * (apart or 0):.0f} % lie"
            " between the nearest two, although only one factor at a time was varied",
            second_sign=f"{len(others)} tables of this workload have a level in common:"
            f" {', '.join(others[:4])}"
            if len(others) > 1
            else "",
        ),
        row="every row",
        printed=cell.figure.text,
    )


RULE = Rule(
    "baseline",
    "tables of one study that share no baseline",
    _check,
    kind="shape",
    must="tables that vary one factor each of one study have a level in common, within 5 %",
)
