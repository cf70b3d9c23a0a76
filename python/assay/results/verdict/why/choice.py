"""Chooses the load point at which the difference between two treatments is explained."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.results.verdict.results import Results
    from assay.results.verdict.why.records import LedgerShift

_NEARLY = 0.9
"""Share of the largest difference from which on one is nearly as large."""


def telling_load(results: Results, baseline: str, other: str) -> float:
    """Returns the highest load point whose certain difference, in what the results are about, is nearly the
    largest; the last one where no difference is certain.
    """
    certain = {
        one.load: abs(math.log(one.ratio))
        for one in results.comparisons
        if (one.baseline, one.other) == (baseline, other) and one.word in ("better", "worse")
        if one.measure == results.headlines[0]
    }
    near = [load for load, size in certain.items() if size >= _NEARLY * max(certain.values())]
    return max(near, default=results.loads[-1])


def shifts_of(
    results: Results, other: str | None = None, load: float | None = None
) -> tuple[LedgerShift, ...]:
    """Returns the ledgers of one treatment, or of each, at one load point: the most telling one of each pair
    where none is named.
    """
    pairs = dict.fromkeys((one.baseline, one.other) for one in results.ledgers)
    at = {pair: telling_load(results, *pair) if load is None else load for pair in pairs}
    return tuple(
        one
        for one in results.ledgers
        if one.load == at[one.baseline, one.other] and other in (None, one.other)
    )


def between(results: Results, treatments: Collection[str], load: float | None) -> tuple[LedgerShift, ...]:
    """Returns the ledgers of two treatments, whichever is the baseline; nothing of one treatment, or of two
    that are no pair of a ledger.
    """
    return tuple(one for one in shifts_of(results, load=load) if {one.baseline, one.other} == set(treatments))
