"""The rule that the measured time is the one that the settings state."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from assay.base.numbers import number
from assay.results.audit.figure import parse_figure
from assay.results.audit.metrics import role_of, seconds
from assay.results.audit.model import Cell, Finding, Levels, Material, at
from assay.results.audit.rules.rule import Rule

_TIMES = ("max-time", "max_time", "time", "duration", "runtime", "measure", "run time", "test time")
_UNITS = {
    "": 1.0,
    "s": 1.0,
    "sec": 1.0,
    "seconds": 1.0,
    "min": 60.0,
    "minutes": 60.0,
    "h": 3600.0,
    "hours": 3600.0,
}
_LONGER = 0.05
_DRAINED = 1.5
"""Times the stated time from which on the end of a run, and not its load, makes the rate."""


@dataclass(frozen=True)
class _Overrun:
    """A row whose operations, at the printed rate, take longer than the stated time."""

    count: Cell
    rate: Cell
    time_s: float
    worst_s: float


def _check(material: Material) -> Iterator[Finding]:
    for study, workload, stated_s, source in _stated(material):
        groups: dict[tuple[str, Levels], list[_Overrun]] = defaultdict(list)
        for table in material.tables:
            if table.study not in ("", study):
                continue
            for (levels, _), row in table.rows.items():
                found = _overrun(row, workload, stated_s)
                if found is not None:
                    groups[table.name, levels].append(found)
        for rows in groups.values():
            yield _finding(rows, stated_s, source)


def _stated(material: Material) -> Iterator[tuple[str, str, float, str]]:
    for sheet in material.with_columns("setting", "value"):
        for _, row in sheet.rows:
            figure, unit = parse_figure(row["value"]), row.get("unit", "").strip().lower()
            if (
                row["setting"].lower() in _TIMES
                and figure is not None
                and figure.value > 0
                and unit in _UNITS
            ):
                yield row.get("study", ""), row.get("workload", ""), figure.value * _UNITS[unit], sheet.file


def _overrun(row: Mapping[str, Cell], workload: str, stated_s: float) -> _Overrun | None:
    roles = {
        (role.kind, role.stat): cell for cell in row.values() if (role := role_of(cell.metric, cell.unit))
    }
    count, rate = roles.get(("count", "mean")), roles.get(("qps", "mean")) or roles.get(("tps", "mean"))
    if count is None or rate is None or rate.value <= 0 or not count.level("workload").startswith(workload):
        return None
    if count.figure.low / rate.figure.high <= stated_s * (1 + _LONGER):
        return None
    longest = roles.get(("latency", "max"))
    worst_s = seconds(longest.value, longest.unit) if longest else 0.0
    return _Overrun(count, rate, count.value / rate.value, worst_s)


def _finding(rows: list[_Overrun], stated_s: float, source: str) -> Finding:
    worst = max(rows, key=lambda one: one.time_s)
    # a run ends with its last operation: a note where the longest one is the excess
    explained = all(one.time_s <= (stated_s + one.worst_s) * (1 + _LONGER) for one in rows)
    drained = sum(one.time_s > stated_s * _DRAINED for one in rows)
    second = f"{len(rows)} rows run longer than stated" if len(rows) > 1 and not explained else ""
    if not second and drained > 1:
        second = (
            f"{drained} of them last {_DRAINED:g} times as long: mostly a queue that drains, no steady load"
        )
    return at(
        worst.rate,
        RULE.name,
        "warning",
        "high",
        expected=f"operations of {stated_s:g} s",
        sign=f"{worst.count.figure.text} operations at {worst.rate.figure.text} a second take"
        f" {number(worst.time_s)} s, {source} states {stated_s:g} s; so in {len(rows)} rows of this series",
        second_sign=second,
    )


RULE = Rule(
    "window",
    "the time measured against the time stated",
    _check,
    kind="conditions",
    must="counts and rates make the time that the settings state, or longer by the longest operation, "
    "but not half as long again",
)
