"""Measures cells in rounds: in each round every contestant of every cell runs once, in alternating order.

Cells are interleaved, not finished one by one, so that a bad minute of the machine spoils one pair of several
cells instead of every pair of one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from benchmarks.canary import canary_s
from benchmarks.child import ContestantFailed
from benchmarks.rest import rest
from benchmarks.rows import Conditions, Figures, Samples

Contestant = Callable[[], Figures]

_REST_S = 0.3  # lets a server finish what the last one left


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

    def samples(self, cell: str) -> Samples:
        entries = {name: tuple(entries) for name, entries in self.entries.items()}
        conditions = Conditions(max(self.canaries) / min(self.canaries), fmean(self.foreign))
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
) -> None:
    """Measures all rounds. After each, `keep` is called with the number of rounds done, and all samples so
    far.

    A contestant that fails loses this sample, and the bench goes on.
    """
    all_kept = [_Kept({name: [] for name in cell.contestants}) for cell in cells]
    total_s = sum(cell.seconds for cell in cells) * pairs
    planned_s, spent_s = 0.0, 0.0
    for turn in range(pairs):
        for cell, kept_cell in zip(cells, all_kept, strict=True):
            start = time.monotonic()
            for name in turned(list(cell.contestants), turn):
                kept_cell.canaries.append(canary_s())
                kept_cell.entries[name].append(_once(cell.contestants[name], name, kept_cell))
                kept_cell.foreign.append(rest(_REST_S))
            spent_s += time.monotonic() - start
            planned_s += cell.seconds
            left_s = (total_s - planned_s) * spent_s / planned_s
            say(f"{turn + 1}/{pairs} {cell.name}: {_brief(kept_cell)}; {_duration(left_s)} left")
        keep(
            turn + 1, [kept_cell.samples(cell.name) for cell, kept_cell in zip(cells, all_kept, strict=True)]
        )


def _once(contestant: Contestant, name: str, kept: _Kept) -> Figures | None:
    try:
        return contestant()
    except ContestantFailed as failed:
        kept.failures[name] = str(failed)
    return None


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
