"""Computes a section's rows, with figures and checks, from the samples of its cells."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from benchmarks.spread import Spread, State, Target, judge, ratios, spread

Figures = Mapping[str, float]
"""What one contestant did once, by name of the figure, e.g. `qps`, `cpu_us_per_query`, `rss_mb`, `wall_s`."""


@dataclass(frozen=True)
class Conditions:
    """The state of the machine while a cell was measured."""

    canary_swing: float  # slowest / fastest canary
    foreign_share: float  # of the processors, busy while neither contestant nor server was


@dataclass(frozen=True)
class Samples:
    """All measurements of one cell: for each contestant one entry a pair, None where it failed."""

    cell: str
    by_contestant: Mapping[str, Sequence[Figures | None]]
    conditions: Conditions
    failures: Mapping[str, str] = field(default_factory=dict)  # contestant -> its last words

    def values(self, contestant: str, figure: str) -> list[float]:
        """Returns one value for each pair that succeeded."""
        entries = self.by_contestant.get(contestant, ())
        return [entry[figure] for entry in entries if entry is not None and figure in entry]

    def numbered(self, contestant: str, figure: str) -> list[float]:
        """Returns all values of a figure that one measurement has many of: `figure 0`, `figure 1`, …"""
        entries = [entry for entry in self.by_contestant.get(contestant, ()) if entry is not None]
        return [
            value
            for entry in entries
            for name, value in entry.items()
            if name.startswith(f"{figure} ") and name.removeprefix(f"{figure} ").isdecimal()
        ]

    def median(self, contestant: str, figure: str) -> float | None:
        values = self.values(contestant, figure)
        return statistics.median(values) if values else None

    def paired(self, mine: str, theirs: str, figure: str) -> Spread | None:
        """Returns the ratio over the pairs in which both succeeded; None when there is none."""
        pairs = [
            (a[figure], b[figure])
            for a, b in zip(self.by_contestant[mine], self.by_contestant[theirs], strict=True)
            if a is not None and b is not None and figure in a and b.get(figure)
        ]
        return ratios([a for a, _ in pairs], [b for _, b in pairs]) if pairs else None


@dataclass(frozen=True)
class Check:
    """One figure and its target; without a target it is only reported."""

    what: str  # "x sysbench", "x floor", "MB"
    value: Spread | None  # None: it could not be measured
    target: Target | None
    state: State | None


def check(what: str, value: Spread | None, target: Target | None = None) -> Check:
    """Returns a check; a missing value misses any target."""
    if target is None:
        return Check(what, value, None, None)
    return Check(what, value, target, State.SHORT if value is None else judge(value, target))


@dataclass(frozen=True)
class Row:
    """One line of a section's table."""

    cell: str
    figure: str  # with its unit: "CPU us/query"
    medians: Mapping[str, float | None]  # by contestant
    checks: Sequence[Check]
    conditions: Conditions
    note: str = ""

    @property
    def state(self) -> State | None:
        """The worst state of its checks."""
        states = [check.state for check in self.checks if check.state is not None]
        for worst in (State.SHORT, State.INCONCLUSIVE, State.WITHIN_NOISE, State.REACHED):
            if worst in states:
                return worst
        return None


def row(
    samples: Samples,
    figure: str,
    title: str,
    against: Mapping[str, Target | None],
    *,
    absolute: Target | None = None,
    unit: str = "",
) -> Row:
    """Returns a row: a ratio for each name in `against`, and the figure itself for `absolute`."""
    checks = [
        check(f"x {name}", samples.paired("ours", name, figure), target) for name, target in against.items()
    ]
    if absolute is not None:
        mine = samples.values("ours", figure)
        checks.append(check(unit, spread(mine) if mine else None, absolute))
    return Row(
        cell=samples.cell,
        figure=title,
        medians={name: samples.median(name, figure) for name in samples.by_contestant},
        checks=checks,
        conditions=samples.conditions,
        note=failures(samples),
    )


def paired_row(
    samples: Samples,
    one: str,
    other: str,
    figure: str,
    title: str,
    target: Target | None = None,
    ratio: Callable[[Sequence[float], Sequence[float]], Spread] = ratios,
) -> Row:
    """Returns a row of one way beside another, of pairs that one measurement has many of."""
    values = {name: samples.numbered("ours", f"{name}, {figure}") for name in (one, other)}
    found = ratio(values[one], values[other]) if values[one] else None
    return Row(
        cell=samples.cell,
        figure=title,
        medians={name: statistics.median(each) if each else None for name, each in values.items()},
        checks=[check(f"x {other}", found, target)],
        conditions=samples.conditions,
        note=failures(samples),
    )


def failures(samples: Samples) -> str:
    """Returns the last words of contestants that failed; empty where none did."""
    return "; ".join(f"{name} failed: {words}" for name, words in samples.failures.items())


@dataclass(frozen=True)
class Line:
    """The definition of a row: a figure of a cell, with the contestants and the limit to compare it with."""

    cell: str
    figure: str
    title: str
    against: Mapping[str, Target | None]
    absolute: Target | None = None
    unit: str = ""


def rows_of(lines: Sequence[Line], samples: Sequence[Samples]) -> list[Row]:
    """Returns a row for every line whose cell was measured."""
    by_cell = {sample.cell: sample for sample in samples}
    return [
        row(
            by_cell[line.cell],
            line.figure,
            line.title,
            line.against,
            absolute=line.absolute,
            unit=line.unit,
        )
        for line in lines
        if line.cell in by_cell
    ]
