"""Recognises what a server does by the clock, whatever the load: it costs a fast operation less than a slow
one, and explains neither.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from assay.results.verdict.observations import Floats

CostAndRate = tuple[Floats, Floats]
"""A cost of one operation in every block, and how many operations a second there were."""

_NOISE = 1.1
"""Factor by which an amount a second may seem larger than it is."""


def goes_by_the_clock(
    sides: Iterable[tuple[CostAndRate, CostAndRate]], change: float, margin: float, slowest: float
) -> bool:
    """Returns whether a counter moves as often a second on both sides of every load point, and no faster than
    `slowest` a second, so that only the rate of operations differs. `change` is the relative difference of
    the costs.
    """
    changes = []
    for sides_of_load in sides:
        before, after = (_per_s(*side) for side in sides_of_load)
        if max(before, after) > slowest:
            return False
        changes.append((after - before) / ((before + after) / 2) if before + after else 0.0)
    return bool(changes) and abs(float(np.mean(changes))) <= max(margin, abs(change) / 10)


def follows_the_rate(before: CostAndRate, after: CostAndRate, slowest: float) -> bool:
    """Returns whether a constant amount a second, of at most `slowest`, explains the difference of a cost: a
    slower side has more of it for each operation.

    The amount that explains it is no larger than what either side had a second.
    """
    sides = before, after
    if any((rate <= 0).any() for _, rate in sides):
        return False  # the time of an operation is not known
    apart = float(after[0].mean() - before[0].mean())
    times = [float((1 / rate).mean()) for _, rate in sides]
    if times[0] == times[1]:
        return False
    amount = apart / (times[1] - times[0])
    return 0 < amount <= min(slowest, *(_NOISE * _per_s(*side) for side in sides))


def _per_s(cost: Floats, rate: Floats) -> float:
    """Returns how much there is of it a second: the mean over blocks, of which a slow one has a high cost."""
    if cost.size == rate.size:
        return float((cost * rate).mean())
    return float(cost.mean() * rate.mean())
