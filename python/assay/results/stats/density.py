"""Estimates how densely values lie along an axis."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

_GAUSSIAN_IQR = 1.349  # the quartiles of a normal distribution lie so many standard deviations apart
_BLOCK = 1024


def density(values: ArrayLike, at: ArrayLike) -> NDArray[np.float64]:
    """Returns the density of `values` at the points `at`, relative to the highest one among these.

    The kernel is Gaussian with the bandwidth of Silverman (Density Estimation for Statistics and Data
    Analysis, 1986, equation 3.31). Values that are all equal have a density of 1.
    """
    seen = np.asarray(values, dtype=float)
    points = np.asarray(at, dtype=float)
    if not seen.size:
        raise ValueError("a density needs at least one value")
    low, high = np.percentile(seen, [25, 75])
    spreads = [spread for spread in (seen.std(), (high - low) / _GAUSSIAN_IQR) if spread > 0]
    if not spreads:
        return np.ones_like(points)
    width = 0.9 * min(spreads) * seen.size**-0.2
    heights = np.empty_like(points)
    for start in range(0, points.size, _BLOCK):
        part = points[start : start + _BLOCK, None]
        heights[start : start + _BLOCK] = np.exp(-0.5 * ((part - seen[None, :]) / width) ** 2).sum(axis=1)
    return heights / heights.max() if heights.size else heights
