"""Finds what differs between two treatments: lines of their ledgers, costs and counters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from assay.base.numbers import number
from assay.experiments.cause.pair import Pair
from assay.experiments.lab import Judged
from assay.results.verdict import SMALLER, higher_is_better

Source = Literal["ledger", "counter"]
_LEAST = 0.05
"""Share from which a line that is not certain is evidence at all."""
_UNITS = {"us": " µs", "1": "", "": ""}


@dataclass(frozen=True)
class Evidence:
    """One thing that differs between the treatments of a pair.

    `weight`: of a line, its share of the difference of its whole ledger; of a counter, at most a half.
    `is_certain`: it has moved for certain, with all else that was looked at.
    """

    source: Source
    name: str  # "time: row-locks", or "Innodb_os_log_fsyncs_per_query"
    group: str  # of a line: its group; of a counter: its measure
    line: str
    weight: float
    is_certain: bool
    said: str


def evidence_of(found: Judged, pair: Pair) -> tuple[Evidence, ...]:
    """Returns what differs, the certain first, then by weight."""
    seen = [*_lines(found, pair), *_counters(found, pair)]
    return tuple(sorted(seen, key=lambda one: (not one.is_certain, -one.weight, one.name)))


def _lines(found: Judged, pair: Pair) -> Iterator[Evidence]:
    """Yields the groups and lines of ledgers that differ in the direction of what is to be explained, certain
    or not.
    """
    sign = _sign(pair)
    for ledger in found.results.ledgers:
        if (ledger.baseline, ledger.other, ledger.load) != (pair.first.name, pair.second.name, pair.load):
            continue
        for one in ledger.lines:
            moved = one.word == "moved"
            if one.group == "unnamed" or one.change * sign <= 0:
                continue
            share = one.share if one.share is not None else _share(one.change, ledger.change)
            size = abs(share) if ledger.change else abs(one.change) / max(abs(one.before), abs(one.after))
            if not (moved or (_is_away(one.low, one.high) and size >= _LEAST)):
                continue
            unit = _UNITS.get(one.unit, f" {one.unit}")
            ends = "" if one.low is None or one.high is None else f" ({number(one.low)}…{number(one.high)})"
            group, line = (one.line or one.group, "") if one.group == SMALLER else (one.group, one.line)
            yield Evidence(
                "ledger",
                f"{ledger.ledger}: {group}" + (f", {line}" if line else ""),
                group,
                line,
                min(abs(share), 1.0) if ledger.change is not None else 0.5 if moved else 0.25,
                moved,
                f"{'+' if one.change > 0 else ''}{number(one.change)}{ends}{unit}",
            )


def _is_away(low: float | None, high: float | None) -> bool:
    return low is not None and high is not None and low * high > 0


def _share(change: float, whole: float | None) -> float:
    return change / whole if whole else 0.0


def _sign(pair: Pair) -> int:
    """Returns 1 where the second treatment does less or takes longer, so that costs which grow are evidence,
    and -1 where it does more.
    """
    if pair.comparison is None:
        return 1
    return 1 if (pair.comparison.ratio < 1) == higher_is_better(pair.measure) else -1


def _counters(found: Judged, pair: Pair) -> Iterator[Evidence]:
    sign = _sign(pair)
    for differing in found.results.differing:
        if (differing.baseline, differing.other) != (pair.first.name, pair.second.name):
            continue
        for reason in differing.reasons:
            if reason.change * sign <= 0:
                continue
            ratio = "" if reason.ratio is None else f", ×{reason.ratio:.3g}"
            said = f"{number(reason.before)} → {number(reason.after)} {reason.unit}{ratio}"
            weight = min(max(reason.distance, 0.0), 1.0) / 2  # beside shares of a ledger's difference
            for measure in (reason.measure, *reason.alike):
                yield Evidence("counter", measure, measure, "", weight, True, said)
