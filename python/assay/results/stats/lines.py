"""Judges the lines of a ledger: paired differences in a tree of families, each family corrected as a whole.

A line is an amount in every run of two treatments, and its difference in a block is one value, whatever the
number of samples behind it: samples of one run share its start. Groups are tested first, by Holm's correction
at the level of the study; the lines inside a group only where the group has moved, with the level divided by
the number of such groups (hierarchical testing, Meinshausen 2008). Where nothing moves, no line is therefore
named in as many ledgers as the confidence says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.results.stats.exchangeability import wariness
from assay.results.stats.intervals import mean_and_error, t_quantile
from assay.results.stats.multiplicity import beyond_p, family_wise
from assay.results.stats.power import shift_found
from assay.results.stats.region import Gate

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Shift:
    """A mean paired difference over `n` blocks: `low` and `high` are its own interval.

    `p` is adjusted for its family (Holm). `limit` is a size that the true difference does not exceed: with
    the confidence of the gate for all differences of the family together (Bonferroni). `detectable` is the
    smallest difference that such blocks find in 80 % of studies at the first step of the correction. All but
    the mean are None below two blocks; `p`, `limit` and `moved` need the blocks of a verdict.
    """

    value: float
    low: float | None
    high: float | None
    n: int
    p: float | None = None
    limit: float | None = None
    detectable: float | None = None
    moved: bool = False


def shifts(
    differences: Sequence[Floats],
    gate: Gate,
    *,
    error: float | None = None,
    margins: Sequence[float] | None = None,
) -> list[Shift]:
    """Returns the shifts of one family of paired differences, each an array with a value for every block.

    `error` is the chance of a false one in the whole family; that of the gate, where it is None. A shift has
    moved where it is certainly larger than its margin, which is 0 without `margins`. Where verdicts end the
    blocks, intervals are as wide as the gate demands.
    """
    level = 1 - gate.confidence if error is None else error
    each = level / max(len(differences), 1)
    edges = [0.0] * len(differences) if margins is None else margins
    found = [_shift(values, gate, each) for values in differences]
    p_values = [
        beyond_p(abs(one.value) - edge, _width(values, gate) * _spread(values), values.size)
        for one, values, edge in zip(found, differences, edges, strict=True)
    ]
    adjusted = family_wise(p_values)
    return [
        one
        if one.n < gate.fewest or one.low is None
        else Shift(one.value, one.low, one.high, one.n, p, one.limit, one.detectable, p <= level)
        for one, p in zip(found, adjusted, strict=True)
    ]


def shift_tree(
    groups: Mapping[str, Floats], lines: Mapping[str, Mapping[str, Floats]], gate: Gate
) -> tuple[dict[str, Shift], dict[str, dict[str, Shift]]]:
    """Returns the shift of every group, and those of the lines inside each group that has moved.

    `lines` has the differences of a group's lines by name, which add up to those of the group; a group of one
    line has nothing to add.
    """
    of_groups = dict(zip(groups, shifts(list(groups.values()), gate), strict=True))
    opened = [name for name, one in of_groups.items() if one.moved and len(lines.get(name, ())) > 1]
    error = (1 - gate.confidence) / max(len(opened), 1)
    return of_groups, {
        name: dict(zip(lines[name], shifts(list(lines[name].values()), gate, error=error), strict=True))
        for name in opened
    }


def _shift(values: Floats, gate: Gate, error: float) -> Shift:
    """Returns the mean with its interval at the gate's confidence, and what follows at the level `error`."""
    mean, standard = mean_and_error(values)
    n = values.size
    if standard is None:
        return Shift(mean, None, None, n)
    standard *= _width(values, gate)
    half = t_quantile((1 + gate.confidence) / 2, n - 1) * standard
    detectable = shift_found(n, 1 - error) * standard
    if n < gate.fewest:
        return Shift(mean, mean - half, mean + half, n, detectable=detectable)
    limit = abs(mean) + t_quantile(1 - error / 2, n - 1) * standard
    return Shift(mean, mean - half, mean + half, n, limit=limit, detectable=detectable)


def _spread(values: Floats) -> float:
    return float(values.std(ddof=1)) if values.size > 1 else 0.0


def _width(values: Floats, gate: Gate) -> float:
    """Returns the factor by which intervals are wider where verdicts end the blocks."""
    return wariness(values) if gate.sequential else 1.0
