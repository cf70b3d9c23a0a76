"""The rule that more of a resource does not make a server slower, at half of the load points or more."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from assay.results.audit.figure import parse_figure
from assay.results.audit.metrics import role_of
from assay.results.audit.model import Cell, Curve, Finding, Levels, Material, at
from assay.results.audit.rules.rule import Rule

_RESOURCE = re.compile(r"^(?:v?cpus?|cores?|processors?|memory|ram|.*buffer_pool_size|disks?|nodes?)$")
_SCALES = {"k": 2.0**10, "m": 2.0**20, "g": 2.0**30, "t": 2.0**40}
_SLOWER = 0.05
_LEAST_RUNGS = 4
_RAID = re.compile(r"raid-?(?:0|1|5|6|10|50|60)")
_READS = re.compile(r"read|rd$|select")
_FASTER = 1.15


@dataclass(frozen=True)
class _Step:
    """Rates of one series with less and with more of a resource, by load point."""

    resource: str
    less: dict[float, Cell]
    more: dict[float, Cell]

    @property
    def common(self) -> list[float]:
        return sorted(self.less.keys() & self.more.keys())

    @property
    def slower(self) -> list[float]:
        """The load points at which more of the resource gives a lower rate."""
        most = 1 - _SLOWER
        return [one for one in self.common if self.more[one].value < most * self.less[one].value]


def _check(material: Material) -> Iterator[Finding]:
    yield from _redundant(material)
    for step in _steps(material):
        slower = step.slower
        if len(step.common) < _LEAST_RUNGS or 2 * len(slower) < len(step.common):
            continue
        worst = min(slower, key=lambda one: step.more[one].value / step.less[one].value)
        cell, other = step.more[worst], step.less[worst]
        size, smaller = cell.level(step.resource), other.level(step.resource)
        yield replace(
            at(
                cell,
                RULE.name,
                "warning",
                "medium",
                expected=f"at least {other.figure.text}",
                sign=f"{step.resource} {size} has {100 * (cell.value / other.value - 1):+.0f} % against"
                f" {smaller} ({other.table}): more of it cannot take throughput away",
                second_sign=f"it has less at {len(slower)} of {len(step.common)} load points",
            )
        )


def _redundant(material: Material) -> Iterator[Finding]:
    """Yields findings for disks that write parity or copies, and are faster than the same without any."""
    tables: dict[tuple[str, str, str, Levels], dict[str, Curve]] = defaultdict(dict)
    for (study, table, metric, levels, _), curve in material.series.items():
        role, named = role_of(metric, curve.first.unit), dict(levels)
        if role is None or role.kind not in ("iops", "bandwidth") or role.part == "read":
            continue
        factor = next((name for name, level in levels if _RAID.fullmatch(level.lower())), "")
        if factor and not _READS.search(named.get("workload", "")):
            rest = tuple(one for one in levels if one[0] != factor)
            tables[study, table, metric, rest][named[factor].lower().replace("-", "")] = curve
    for curves in tables.values():
        plain = curves.pop("raid0", Curve())
        for name, curve in curves.items():
            lead = {rung: curve[rung].value / plain[rung].value for rung in plain.keys() & curve.keys()}
            worst = max(lead, key=lambda rung: lead[rung], default=0.0)
            if lead.get(worst, 0.0) > _FASTER:
                yield at(
                    curve[worst],
                    RULE.name,
                    "warning",
                    "medium",
                    expected=f"at most {plain[worst].figure.text}",
                    sign=f"{name} has {100 * (lead[worst] - 1):+.0f} % against raid0,"
                    " although it writes more for each write",
                    second_sign="the same disks write parity or copies in addition: it cannot be the level",
                )
                break


def _steps(material: Material) -> Iterator[_Step]:
    series: dict[tuple[str, str, str, str, Levels], dict[float, dict[float, Cell]]] = defaultdict(dict)
    for (study, _, metric, levels, axis), curve in material.series.items():
        role = role_of(metric, next(iter(curve.values())).unit)
        if role is None or role.kind not in ("tps", "qps") or role.stat != "mean":
            continue
        for name, level in levels:
            size = _size(level) if _RESOURCE.fullmatch(name.lower()) else None
            if size:
                rest = tuple(one for one in levels if one[0] != name)
                series[study, metric, axis, name, rest].setdefault(size, curve)
    for (*_, name, _), sizes in series.items():
        ordered = sorted(sizes)
        for less, more in pairwise(ordered):
            yield _Step(name, sizes[less], sizes[more])


def _size(level: str) -> float | None:
    found = re.fullmatch(r"([\d.,]+)\s*([kmgt]?)i?b?", level.strip().lower())
    figure = parse_figure(found[1]) if found else None
    return figure.value * _SCALES.get(found[2], 1.0) if found and figure else None


RULE = Rule(
    "resources",
    "more of a resource, and less throughput",
    _check,
    kind="physics",
    must="more processors, memory or buffer pool do not take 5 % of the throughput at half of the load "
    "points; disks with parity or copies are not faster than the same without",
)
