"""Widens intervals of a mean for values whose neighbours are alike, which few values cannot show.

Six blocks cannot tell a correlation of 0.5 between neighbours from none, and with it a 95 % interval holds
the truth in 78 %. A word can still say how much of it the word would withstand.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from assay.results.stats import special
from assay.results.stats.intervals import t_quantile

CORRELATIONS = tuple(step / 20 for step in range(1, 19))
"""Correlations of neighbours that are tried: 0.05 to 0.9."""
FEW_WITHSTAND = 0.5
"""The correlation of neighbours that a word should withstand, unless its blocks would show it."""
BLOCKS_THAT_SHOW_IT = 45
"""Blocks from which the doubt about alike neighbours sees that correlation in nine of ten studies."""


def is_frail(withstands: float | None, blocks: int) -> bool:
    """Returns whether blocks whose neighbours are alike would undo a word, and so few would not show it."""
    return withstands is not None and withstands < FEW_WITHSTAND and blocks < BLOCKS_THAT_SHOW_IT


@lru_cache(maxsize=4096)
def alike_factor(n: int, correlation: float, confidence: float) -> float:
    """Returns the factor by which Student's t interval of a mean of `n` values (2 or more) is widened where
    the correlation of values k apart is `correlation` to the power of k.

    Both faults of the plain interval are mended: the variance of the mean is larger than the values show, and
    their variance has fewer degrees of freedom (Satterthwaite 1946).
    """
    places = np.arange(n)
    alike = correlation ** np.abs(places[:, None] - places)
    centred = alike - alike.mean(axis=0)
    within = float(np.trace(centred))  # of the sum of squares about the mean, where one value has 1
    degrees = within**2 / float(np.sum(centred * centred.T))
    wider = math.sqrt(float(alike.mean()) * n * (n - 1) / within)
    tail = (1 + confidence) / 2
    return float(wider * special.stdtrit(degrees, tail) / t_quantile(tail, n - 1))


def withstood(holds: Callable[[float], bool]) -> float:
    """Returns the largest of `CORRELATIONS` at which something still holds, 0 where it does at none; what
    fails at one must fail at all larger ones.
    """
    low, high = 0, len(CORRELATIONS)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if holds(CORRELATIONS[middle - 1]) else (low, middle - 1)
    return CORRELATIONS[low - 1] if low else 0.0
