"""Tests for a drift over positions: whether later items of a row measure higher or lower than earlier
ones.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.results.stats import special


@dataclass(frozen=True)
class PositionDrift:
    """The change of a logarithm from the first to the last position, and the two-sided p-value of "no
    drift".
    """

    log_change: float
    p_value: float


def position_drift(logs: ArrayLike, positions: ArrayLike) -> PositionDrift | None:
    """Returns the drift over positions that remains when the means of rows and columns are taken out.

    Each row of `logs` is a thing that is measured (a treatment, a rung), each column a block; `positions`, of
    the same shape, has the position of each thing in each block. A line through what the means leave is
    tested with Student's t, on (rows - 1)(columns - 1) - 1 degrees of freedom. None where there are no such
    degrees, or where every thing keeps its position, so that a drift cannot be told from the things.
    """
    y, x = _without_means(logs), _without_means(positions)
    degrees = (y.shape[0] - 1) * (y.shape[1] - 1) - 1
    across = float(np.sum(x * x))
    if degrees < 1 or across < 1e-9:
        return None
    slope = float(np.sum(x * y)) / across
    rest = float(np.sum((y - slope * x) ** 2))
    change = slope * float(np.ptp(np.asarray(positions)))
    if rest < 1e-24 * y.size:  # rounding
        return PositionDrift(change, float(abs(change) < 1e-9))
    t = abs(slope) * math.sqrt(across * degrees / rest)
    return PositionDrift(change, float(2 * special.stdtr(degrees, -t)))


def _without_means(table: ArrayLike) -> NDArray[np.float64]:
    x = np.asarray(table, dtype=np.float64)
    if x.ndim != 2:
        raise ValueError("a drift over positions needs a table of things by blocks")
    left: NDArray[np.float64] = x - x.mean(axis=0) - x.mean(axis=1)[:, None] + x.mean()
    return left
