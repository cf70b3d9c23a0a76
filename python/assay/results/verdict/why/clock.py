"""Recognises what a server does by the clock, whatever the load: it costs a fast operation less than a slow
one, and explains neither.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from assay.results.verdict.observations import Floats

CostAndRate = tuple[Floats, Floats]
"""A cost of one operation in every block, and how many operations a second there were."""


def goes_by_the_clock(
    sides: Iterable[tuple[CostAndRate, CostAndRate]], change: float, margin: float, slowest: float
) -> bool:
    """Returns whether a counter moves as often a second on both sides of every load point, and no faster than
    `slowest` a second, so that only the rate of operations differs. `change` is the relative difference of
    the costs.
    """
    changes = []
    for sides_of_load in sides:
        before, after = (float(cost.mean() * rate.mean()) for cost, rate in sides_of_load)
        if max(before, after) > slowest:
            return False
        changes.append((after - before) / ((before + after) / 2) if before + after else 0.0)
    return bool(changes) and abs(float(np.mean(changes))) <= max(margin, abs(change) / 10)
