"""Many comparisons: how many would look real by chance."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def expected_false_alarms(comparisons: int, confidence: float = 0.95) -> float:
    """At most this many of the comparisons would be called different if nothing differed at all.

    An upper bound: the region of indifference makes a false alarm rarer than 1 - confidence.
    """
    return comparisons * (1 - confidence)


def adjusted(p_values: ArrayLike) -> NDArray[np.float64]:
    """p-values adjusted for the false discovery rate (Benjamini & Hochberg 1995), in the order given."""
    p = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(p)
    scaled = p[order] * p.size / np.arange(1, p.size + 1)
    result = np.empty_like(p)
    result[order] = np.minimum(np.minimum.accumulate(scaled[::-1])[::-1], 1.0)
    return result
