"""Makes the counter ledger of two treatments: costs of one query or transaction, of any results folder."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.results.stats import Gate, Shift, shifts
from assay.results.verdict.compared import Place
from assay.results.verdict.observations import Floats, Observations
from assay.results.verdict.why.clock import follows_the_rate
from assay.results.verdict.why.figures import CounterFigure, counter_figures
from assay.results.verdict.why.lines import RunLedgers, counts_at, without_rounding
from assay.results.verdict.why.records import COUNTERS, LedgerShift, LineShift, LineWord

_FINEST = 0.02
"""Width, as a share of the figure, below which an interval is no better evidence."""


@dataclass(frozen=True)
class _Pair:
    figure: CounterFigure
    before: Floats
    after: Floats
    blocks: tuple[int, ...]

    @property
    def apart(self) -> Floats:
        """The differences by block, without what rounding leaves of equal figures."""
        return without_rounding(self.before, self.after)

    @property
    def level(self) -> float:
        return float(self.before.mean() + self.after.mean()) / 2


def counter_ledger(
    seen: Observations, places: tuple[Place, Place], gate: Gate, margin: float, ledgers: RunLedgers
) -> LedgerShift | None:
    """Returns the ledger of counters; None where no figure has a block on both sides.

    All figures are one family, as any of them could be named by luck. A figure has moved where its difference
    is certainly larger than the margin of the study, as a share of the figure. Those with the best evidence
    stand first; of equal ones the larger, and then the one that the list has first.
    """
    pairs, uncompared = _pairs(seen, places, ledgers)
    if not pairs:
        return None
    found = shifts([one.apart for one in pairs], gate, margins=[margin * one.level for one in pairs])
    lines = [
        (
            (-_evidence(one, shift, margin), -_size(one, shift)),
            _line(one, shift, _word(seen, places, one, shift, gate)),
        )
        for one, shift in zip(pairs, found, strict=True)
    ]
    lines.sort(key=lambda one: (one[1].word != "moved", one[0]))
    return LedgerShift(
        baseline=places[0].treatment,
        other=places[1].treatment,
        load=places[0].load or 0.0,
        ledger=COUNTERS,
        blocks=max(len(one.blocks) for one in pairs),
        lines=tuple(line for _, line in lines),
        loads=len(set(seen.loads.values())) or None,
        needed=gate.fewest,
        uncompared=tuple(uncompared),
    )


def _pairs(
    seen: Observations, places: tuple[Place, Place], ledgers: RunLedgers
) -> tuple[list[_Pair], list[str]]:
    """Returns the figures that both sides have, made of the same counters, and the names of those that only
    one has.
    """
    pairs, uncompared = [], []
    unlike = seen.unlike(*places)
    counted = [counts_at(ledgers, place, seen) for place in places]
    for figure in counter_figures():
        (before, of_before), (after, of_after) = (
            figure.blocks(seen, place, of) for place, of in zip(places, counted, strict=True)
        )
        common = sorted((before.keys() & after.keys()) - unlike)
        if (figure.counted or figure.measure) and not any((*before.values(), *after.values())):
            continue
        if common and of_before == of_after:
            was, now = (np.array([side[block] for block in common]) for side in (before, after))
            pairs.append(_Pair(figure, was, now, tuple(common)))
        elif before or after:
            uncompared.append(figure.name)
    return pairs, uncompared


def _line(of: _Pair, shift: Shift, word: LineWord) -> LineShift:
    return LineShift(
        group=of.figure.name,
        line="",
        unit=of.figure.unit,
        before=float(of.before.mean()),
        after=float(of.after.mean()),
        change=shift.value,
        low=shift.low,
        high=shift.high,
        word=word,
        limit=shift.limit,
        detectable=shift.detectable,
        p=shift.p,
    )


def _word(
    seen: Observations,
    places: tuple[Place, Place],
    of: _Pair,
    shift: Shift,
    gate: Gate,
) -> LineWord:
    if shift.n < gate.fewest or shift.limit is None:
        return "estimate-only"
    if not shift.moved:
        return "bounded"
    rates = [seen.blocks("tps" if of.figure.per == "transaction" else "qps", place) for place in places]
    if any(block not in side for side in rates for block in of.blocks):
        return "moved"
    before, after = (np.array([side[block] for block in of.blocks]) for side in rates)
    sides = (of.before, before), (of.after, after)
    slowest = of.figure.clock * of.figure.times
    if of.figure.over:  # a quotient of what the server does by itself says nothing of the load
        below = [of.figure.below(seen, place) for place in places]
        slow = any(
            np.mean([of_side[b] for b in of.blocks]) * rate.mean() <= slowest
            for of_side, (_, rate) in zip(below, sides, strict=True)
        )
        return "by-the-clock" if slow else "moved"
    return "by-the-clock" if follows_the_rate(*sides, slowest) else "moved"


def _evidence(of: _Pair, shift: Shift, margin: float) -> float:
    """Returns how far the interval lies beyond the margin, in widths of the interval, up to 20."""
    if shift.low is None or shift.high is None or not of.level:
        return 0.0
    nearest = min(abs(shift.low), abs(shift.high)) if shift.low * shift.high > 0 else 0.0
    width = max((shift.high - shift.low) / of.level, _FINEST)
    return min((nearest / of.level - margin) / width, 20.0)


def _size(of: _Pair, shift: Shift) -> float:
    """Returns the difference as a share of the figure, to a tenth: 2 for one that was 0 on one side."""
    return round(abs(shift.value) / of.level, 1) if of.level else 0.0
