"""Finds what differs between two treatments: lines of their ledgers, costs and counters, and plans."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import duckdb
import numpy as np

from assay.base.numbers import number
from assay.experiments.cause.pair import Pair
from assay.experiments.lab import Judged
from assay.results.stats import mean_interval

Source = Literal["ledger", "counter", "plan"]

_QUERY = (
    'SELECT ledger, "group", line, block, treatment, sum(amount) FROM ledger_lines'
    " WHERE load = ? AND treatment IN (?, ?) GROUP BY ALL ORDER BY ALL"
)


@dataclass(frozen=True)
class Evidence:
    """One thing that differs between the treatments of a pair.

    `weight`: of a line, its share of the difference of its whole ledger; of a counter, its distance beyond
    the margin, up to 1. `is_certain`: its interval excludes no difference.
    """

    source: Source
    name: str  # "time: row-locks", "Innodb_os_log_fsyncs_per_query", or a statement
    group: str  # of a line: its group; of a counter: its measure
    line: str
    weight: float
    is_certain: bool
    said: str


def evidence_of(found: Judged, pair: Pair) -> tuple[Evidence, ...]:
    """Returns what differs, the certain first, then by weight."""
    seen = [*_lines(found.store, pair), *_counters(found, pair)]
    return tuple(sorted(seen, key=lambda one: (not one.is_certain, -one.weight, one.name)))


def has_ledgers(store: duckdb.DuckDBPyConnection) -> bool:
    """Returns whether a profile window of some run has lines in a ledger."""
    return bool(store.execute("SELECT 1 FROM ledger_lines LIMIT 1").fetchall())


def _lines(store: duckdb.DuckDBPyConnection, pair: Pair) -> Iterator[Evidence]:
    """Yields the groups and lines of ledgers that both treatments have in the same blocks."""
    first, second = pair.first.name, pair.second.name
    amounts: dict[tuple[str, str, str], dict[int, dict[str, float]]] = defaultdict(lambda: defaultdict(dict))
    for ledger, group, line, block, treatment, amount in store.execute(
        _QUERY, [pair.load, first, second]
    ).fetchall():
        for name in dict.fromkeys(("", line or "")):  # a group is the sum of its lines
            sides = amounts[ledger, group, name][block]
            sides[treatment] = sides.get(treatment, 0.0) + amount
    seen = {(ledger, block) for (ledger, _, _), by in amounts.items() for block in by}
    totals = {
        ledger: sum(
            _mean_difference(by, first, second)
            for key, by in amounts.items()
            if key[0] == ledger and not key[2]
        )
        for ledger, _ in seen
    }
    for (ledger, group, line), by in amounts.items():
        blocks = sorted(block for of, block in seen if of == ledger)
        differences = [by[block].get(second, 0.0) - by[block].get(first, 0.0) for block in blocks]
        if group == "unnamed" or not any(differences):
            continue
        found = mean_interval(differences, pair.study.verdict.confidence)
        total = totals[ledger]
        share = found.value / total if total else 0.0
        ends = (
            "" if found.low is None or found.high is None else f" ({number(found.low)}…{number(found.high)})"
        )
        yield Evidence(
            "ledger",
            f"{ledger}: {group}" + (f", {line}" if line else ""),
            group,
            line,
            min(abs(share), 1.0),
            found.low is not None and found.high is not None and found.low * found.high > 0,
            f"{found.value:+.3g}{ends} µs per {'query' if ledger == 'cpu' else 'transaction'}",
        )


def _mean_difference(by: dict[int, dict[str, float]], first: str, second: str) -> float:
    return float(np.mean([sides.get(second, 0.0) - sides.get(first, 0.0) for sides in by.values()]))


def _counters(found: Judged, pair: Pair) -> Iterator[Evidence]:
    for differing in found.results.differing:
        if (differing.baseline, differing.other) != (pair.first.name, pair.second.name):
            continue
        for reason in differing.reasons:
            ratio = "" if reason.ratio is None else f", ×{reason.ratio:.3g}"
            said = f"{number(reason.before)} → {number(reason.after)} {reason.unit}{ratio}"
            weight = min(max(reason.distance, 0.0), 1.0) / 2  # beside shares of a ledger's difference
            for measure in (reason.measure, *reason.alike):
                yield Evidence("counter", measure, measure, "", weight, True, said)
