"""Reads the lines of ledgers, and pairs those of two treatments block by block."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import duckdb
import numpy as np

from assay.results.ledger import COUNTS, LEDGERS, METRICS, UNNAMED, WAKE_DELAY, MeasuredLoad
from assay.results.stats import group_means
from assay.results.verdict.compared import Place
from assay.results.verdict.observations import Blocks, Cell, Floats, Observations
from assay.results.verdict.why.records import SMALLER, PairedRuns
from assay.results.verdict.why.run_ledger import Name, RunLedger
from assay.results.verdict.why.wakes import with_their_waking

_ROUNDING = 1e-9
_GENERATOR = "generator_cpu_us_per_query"


def without_rounding(before: Floats, after: Floats) -> Floats:
    """Returns the differences of paired values; 0 for those that differ by the rounding of floats alone."""
    apart = after - before
    return np.where(np.abs(apart) <= _ROUNDING * (np.abs(before) + np.abs(after)), 0.0, apart)


RunLedgers = Mapping[tuple[str, str, float], Mapping[int, RunLedger]]
"""Ledgers by name, treatment and load, and by block."""


@dataclass(frozen=True)
class PairedLines:
    """The lines of two treatments in the blocks whose runs saw the same. A line that a run lacks is 0 there:
    its ledger holds all that was seen.
    """

    before: Sequence[RunLedger]
    after: Sequence[RunLedger]
    loads: Sequence[int]  # the load of the data of each block, where loads are the units; () for blocks

    @cached_property
    def names(self) -> tuple[Name, ...]:
        """Every line that some run has an amount of, in the order of the groups' sizes."""
        found: dict[Name, float] = defaultdict(float)
        for run in (*self.before, *self.after):
            for name, amount in run.amounts.items():
                found[name] += abs(amount)
        return tuple(sorted((name for name, size in found.items() if size), key=lambda n: (-found[n], n)))

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups of all lines."""
        return tuple(dict.fromkeys(group for group, _ in self.names))

    @property
    def uncounted(self) -> tuple[str, ...]:
        """The groups of which one side has no line at all, not even one of 0: in a ledger of what servers
        count themselves, that side did not count them.
        """
        sides = [{group for run in side for group, _ in run.amounts} for side in (self.before, self.after)]
        return tuple(group for group in self.groups if any(group not in side for side in sides))

    def without(self, groups: Collection[str]) -> PairedLines:
        """Returns the lines of all other groups."""
        before, after = (
            [
                replace(run, amounts={k: v for k, v in run.amounts.items() if k[0] not in groups})
                for run in side
            ]
            for side in (self.before, self.after)
        )
        return replace(self, before=before, after=after)

    def gathered(self, most: int) -> PairedLines:
        """Returns the lines with the largest groups as they are, and every other as a line of `SMALLER`. What
        has no name stays apart.
        """
        sizes: dict[str, float] = defaultdict(float)
        for run in (*self.before, *self.after):
            for (group, _), amount in run.amounts.items():
                sizes[group] += abs(amount)
        smaller = {*sorted(sizes, key=lambda group: (-sizes[group], group))[most:]} - {UNNAMED}
        if len(smaller) < 2:
            return self
        before, after = (
            [replace(run, amounts=_gathered(run.amounts, smaller)) for run in side]
            for side in (self.before, self.after)
        )
        return replace(self, before=before, after=after)

    def sides(self, names: Sequence[Name]) -> tuple[Floats, Floats]:
        """Returns the sum of these lines at both treatments, a value for each unit."""
        before, after = (
            self._units([sum(run.amounts.get(name, 0.0) for name in names) for run in side])
            for side in (self.before, self.after)
        )
        return before, after

    def totals(self) -> tuple[Floats, Floats] | None:
        """Returns what was measured at both treatments; None where a run has no total."""
        before, after = ([run.total for run in side] for side in (self.before, self.after))
        if None in before or None in after:
            return None
        return self._units([one or 0.0 for one in before]), self._units([one or 0.0 for one in after])

    @property
    def runs(self) -> tuple[PairedRuns, ...]:
        """The runs of every block."""
        loads: Sequence[int | None] = self.loads or [None] * len(self.before)
        paired = zip(self.before, self.after, loads, strict=True)
        return tuple(
            PairedRuns(before.run_id, after.run_id, load, (before.speed, after.speed))
            for before, after, load in paired
        )

    def _units(self, values: Sequence[float]) -> Floats:
        return in_units(values, self.runs)


def _gathered(amounts: Mapping[Name, float], smaller: Collection[str]) -> Mapping[Name, float]:
    found: dict[Name, float] = defaultdict(float)
    for (group, line), amount in amounts.items():
        found[(SMALLER, group) if group in smaller else (group, line)] += amount
    return dict(found)


def in_units(values: Sequence[float], runs: Sequence[PairedRuns]) -> Floats:
    """Returns values by block, or one arithmetic mean for each load of the data: means of lines still add
    up.
    """
    by_load: dict[int, list[float]] = defaultdict(list)
    for value, of in zip(values, runs, strict=True):
        if of.load is not None:
            by_load[of.load].append(value)
    if not by_load:
        return np.array(values, dtype=np.float64)
    return np.array([np.mean(found) for _, found in sorted(by_load.items())])


def read_ledgers(store: duckdb.DuckDBPyConnection) -> RunLedgers:
    """Returns the ledger of every run at every load point, by name; nothing where no run was watched."""
    kinds: dict[tuple[str, float], str] = {}
    delays: dict[tuple[str, float], dict[str, float]] = defaultdict(dict)
    found: dict[tuple[str, str, str, float, int], dict[Name, float]] = defaultdict(dict)
    query = (
        'SELECT l.run_id, l.treatment, l.block, l.load, l.ledger, l."group", l.line, sum(l.amount),'
        " any_value(r.kind) FROM ledger_lines l JOIN rungs r ON r.run_id = l.run_id AND r.rung = l.rung"
        " GROUP BY ALL ORDER BY ALL"
    )
    for run, treatment, block, load, ledger, group, line, amount, kind in store.execute(query).fetchall():
        if group == WAKE_DELAY:
            delays[run, load][line] = amount
        elif ledger in LEDGERS or (ledger, group) == (COUNTS, METRICS):
            found[run, ledger, treatment, load, block][group, line] = amount
            kinds[run, load] = kind
    if not found:
        return {}
    figures = _figures(store)
    ledgers: dict[tuple[str, str, float], dict[int, RunLedger]] = defaultdict(dict)
    for (run, ledger, treatment, load, block), amounts in found.items():
        measured = MeasuredLoad(load, kinds[run, load], figures.get((run, load), {}))
        total = next((measured.total(name) for name in LEDGERS if name == ledger), None)
        ledgers[ledger, treatment, load][block] = RunLedger(
            run,
            amounts,
            total,
            delays.get((run, load), {}) if ledger == "time" else {},
            measured.figures.get(_GENERATOR) if ledger == "cpu" else None,
        )
    return ledgers


def _figures(store: duckdb.DuckDBPyConnection) -> dict[tuple[str, float], dict[str, float]]:
    """Returns the measures that totals are made of, by run and load."""
    found: dict[tuple[str, float], dict[str, float]] = defaultdict(dict)
    for run, load, measure, value in store.execute(
        "SELECT run_id, load, measure, value FROM measures"
        f" WHERE measure IN ('server_cpu_us_per_query', 'tps', 'mean_ms', '{_GENERATOR}')"
    ).fetchall():
        found[run, load][measure] = value
    return found


def paired(
    ledgers: RunLedgers, ledger: str, places: tuple[Place, Place], seen: Observations
) -> PairedLines | None:
    """Returns the lines of two treatments at a load point, in the blocks that count on both sides; None where
    there is none.
    """
    sides = [dict(_counted(ledgers, ledger, place, seen)) for place in places]
    common = sorted((sides[0].keys() & sides[1].keys()) - seen.unlike(*places))
    if seen.loads:
        common = [block for block in common if block in seen.loads]
    common = [block for block in common if sides[0][block].blind == sides[1][block].blind]
    if not common:
        return None
    pairs = [with_their_waking(sides[0][block], sides[1][block]) for block in common]
    before, after = zip(*pairs, strict=True)
    return PairedLines(before, after, [seen.loads[block] for block in common] if seen.loads else [])


def counts_at(ledgers: RunLedgers, place: Place, seen: Observations) -> Mapping[str, Blocks]:
    """Returns what the server counted for one transaction while it was watched, by name and block, or by load
    of the data.
    """
    found: dict[str, dict[int, float]] = defaultdict(dict)
    for block, run in _counted(ledgers, COUNTS, place, seen):
        for (_, name), amount in run.amounts.items():
            found[name][block] = amount
    return {name: group_means(of, seen.loads) if seen.loads else of for name, of in found.items()}


def _counted(
    ledgers: RunLedgers, ledger: str, place: Place, seen: Observations
) -> Iterator[tuple[int, RunLedger]]:
    """Yields the blocks without an invalid doubt about their run."""
    if place.load is None:
        return
    cell: Cell = (place.treatment, place.load)
    out = seen.left_out.get(cell, {})
    for block, run in ledgers.get((ledger, *cell), {}).items():
        if block not in out:
            yield block, run
