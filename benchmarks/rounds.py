"""Measures cells in rounds: in each round every contestant of every cell runs once, in alternating order.

Cells are interleaved, not finished one by one, so that a bad minute of the machine spoils one pair of several
cells instead of every pair of one.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Self

from benchmarks.canary import canary_s
from benchmarks.child import ContestantFailed
from benchmarks.rest import rest
from benchmarks.rows import Conditions, Figures, Samples

Contestant = Callable[[], Figures]

_REST_S = 0.3  # lets a server finish what the last one left
_KEEP_S = 60.0


@dataclass(frozen=True)
class Cell:
    """One comparison. `seconds` is roughly what its contestants take together, for the estimate of time
    left.
    """

    name: str
    contestants: Mapping[str, Contestant]
    seconds: float


@dataclass
class _Kept:
    entries: dict[str, list[Figures | None]]
    canaries: list[float] = field(default_factory=list)
    foreign: list[float] = field(default_factory=list)
    failures: dict[str, str] = field(default_factory=dict)
    swing_before: float = 1.0

    @classmethod
    def of(cls, cell: Cell, before: Samples | None) -> Self:
        """What an earlier bench has measured of a cell, or nothing yet."""
        if before is None or set(before.by_contestant) != set(cell.contestants):
            return cls({name: [] for name in cell.contestants})
        entries = {name: list(before.by_contestant[name]) for name in cell.contestants}
        foreign = [before.conditions.foreign_share] * sum(map(len, entries.values()))
        return cls(entries, [], foreign, dict(before.failures), before.conditions.canary_swing)

    @property
    def rounds(self) -> int:
        return min(map(len, self.entries.values()))

    def add(self, cell: Cell, turn: int) -> None:
        """Runs each contestant once. What ends in the middle adds nothing."""
        found: dict[str, Figures | None] = {}
        for name in turned(list(cell.contestants), turn):
            self.canaries.append(canary_s())
            try:
                found[name] = cell.contestants[name]()
            except ContestantFailed as failed:
                found[name], self.failures[name] = None, str(failed)
            self.foreign.append(rest(_REST_S))
        for name, figures in found.items():
            self.entries[name].append(figures)

    def samples(self, cell: str) -> Samples:
        entries = {name: tuple(entries) for name, entries in self.entries.items()}
        swing = max(self.canaries) / min(self.canaries) if self.canaries else 1.0
        conditions = Conditions(max(swing, self.swing_before), fmean(self.foreign))
        return Samples(cell, entries, conditions, dict(self.failures))


def turned(names: Sequence[str], turn: int) -> list[str]:
    """Returns the order of a round, in which each contestant comes first equally often."""
    start = turn % len(names)
    return [*names[start:], *names[:start]]


def interleaved(both: Mapping[str, Contestant], pairs: int) -> Figures:
    """Runs each in turn, in pairs within one measurement: where a ratio near 1 needs many. Figures have names
    that `Samples.numbered` finds, which begin with whose they are.
    """
    return {
        f"{name}, {figure} {turn}": value
        for turn in range(pairs)
        for name in turned(list(both), turn)
        for figure, value in both[name]().items()
    }


def measure(
    cells: Sequence[Cell],
    pairs: int,
    say: Callable[[str], None],
    keep: Callable[[int, Sequence[Samples]], None],
    before: Sequence[Samples] = (),
) -> None:
    """Measures the rounds that `before` lacks. Every minute and at the end, whatever ends it, `keep` is
    called with the number of rounds done, and the samples so far of the cells that have any.

    A contestant that fails loses this sample, and the bench goes on.
    """
    earlier = {samples.cell: samples for samples in before}
    all_kept = [(cell, _Kept.of(cell, earlier.get(cell.name))) for cell in cells]
    left = [cell.seconds for cell, kept in all_kept for _ in range(kept.rounds, pairs)]
    total_s, planned_s, spent_s = sum(left), 0.0, 0.0

    def keep_all() -> None:
        if measured := [kept.samples(cell.name) for cell, kept in all_kept if kept.rounds]:
            keep(min(kept.rounds for _, kept in all_kept), measured)

    kept_at = time.monotonic()
    try:
        for turn, (cell, kept) in itertools.product(range(pairs), all_kept):
            if kept.rounds > turn:
                continue
            start = time.monotonic()
            kept.add(cell, turn)
            spent_s += time.monotonic() - start
            planned_s += cell.seconds
            left_s = (total_s - planned_s) * spent_s / planned_s
            say(f"{turn + 1}/{pairs} {cell.name}: {_brief(kept)}; {_duration(left_s)} left")
            if time.monotonic() - kept_at > _KEEP_S:
                keep_all()
                kept_at = time.monotonic()
    finally:
        keep_all()


def _brief(kept: _Kept) -> str:
    parts = []
    for name, entries in kept.entries.items():
        last = entries[-1]
        if last is None:
            parts.append(f"{name} failed ({kept.failures[name][:120]})")
            continue
        said = []
        if "qps" in last:
            said.append(f"{last['qps']:,.0f}/s")
        if "cpu_us_per_order" in last:
            rate = last.get("orders_per_min", last.get("committed_per_min", 0.0))
            said.append(f"{rate:,.0f}/min {last['cpu_us_per_order']:.0f} us")
        elif "cpu_us_per_operation" in last:
            said.append(f"{last['operations_per_s']:,.0f}/s {last['cpu_us_per_operation']:.0f} us")
        if "cpu_us_per_query" in last:
            said.append(f"{last['cpu_us_per_query']:.2f} us")
        if not said and "tps" in last:
            said.append(f"{last['tps']:,.0f}/s")
        elif not said and "ms" in last:
            said.append(f"{last['ms']:.1f} ms")
        elif not said and "wall_s" in last:
            said.append(f"{last['wall_s']:.2f} s")
        parts.append(f"{name} {' '.join(said)}")
    return ", ".join(parts)


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"
