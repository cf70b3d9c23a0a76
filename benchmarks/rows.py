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

    def medians(self, figure: str) -> dict[str, float | None]:
        """Returns the median of each contestant."""
        return {name: self.median(name, figure) for name in self.by_contestant}

    def both(self, mine: str, theirs: str) -> list[tuple[Figures, Figures]]:
        """Returns the pairs in which both succeeded."""
        pairs = zip(self.by_contestant[mine], self.by_contestant[theirs], strict=True)
        return [(one, other) for one, other in pairs if one is not None and other is not None]

    def paired(self, mine: str, theirs: str, figure: str) -> Spread | None:
        """Returns the ratio over the pairs in which both have the figure; None when there is none."""
        pairs = [
            (one[figure], other[figure])
            for one, other in self.both(mine, theirs)
            if figure in one and other.get(figure)
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


def some(values: Sequence[float]) -> Spread | None:
    """Returns the spread of values; None of none."""
    return spread(values) if values else None


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
    title: str,
    medians: Mapping[str, float | None],
    checks: Sequence[Check] = (),
    note: str = "",
) -> Row:
    """Returns a row; its note ends with what failed."""
    words = [note, *(f"{name} failed: {said}" for name, said in samples.failures.items())]
    return Row(samples.cell, title, medians, checks, samples.conditions, "; ".join(filter(None, words)))


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
    medians = {name: statistics.median(each) if each else None for name, each in values.items()}
    return row(samples, title, medians, [check(f"x {other}", found, target)])


@dataclass(frozen=True)
class Line:
    """The definition of a row: a figure, with the contestants and the limit to compare it with.

    Without a `cell`, each cell of its section has the row.
    """

    cell: str
    figure: str
    title: str
    against: Mapping[str, Target | None] = field(default_factory=dict)  # ratios, by contestant
    absolute: Target | None = None  # of the figure itself, in this unit
    unit: str = ""
    mine: str = "ours"

    def row(self, samples: Samples) -> Row:
        """Returns the row of a cell."""
        checks = [
            check(f"x {name}", samples.paired(self.mine, name, self.figure), target)
            for name, target in self.against.items()
        ]
        if self.absolute is not None:
            checks.append(check(self.unit, some(samples.values(self.mine, self.figure)), self.absolute))
        return row(samples, self.title, samples.medians(self.figure), checks)


@dataclass(frozen=True)
class Made:
    """The definition of a row that a function makes of its cell; without a `cell`, of each of its section."""

    cell: str
    row: Callable[[Samples], Row]


def rows_of(lines: Sequence[Line | Made], samples: Sequence[Samples]) -> list[Row]:
    """Returns the rows of every cell that was measured, each in the order of the lines."""
    return [line.row(sample) for sample in samples for line in lines if line.cell in ("", sample.cell)]
