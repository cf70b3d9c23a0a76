"""Handles many comparisons at once: p-values against a region of indifference, and false discovery rates."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from assay.results.stats import special
from assay.results.stats.region import Region


def beyond_region_p(ratio: float, log_sd: float, n: int, region: Region) -> float:
    """Returns the two-sided p-value of "the true ratio lies in the region", by Student's t on `n` log-ratios.

    It is the larger of the one-sided p-values at the region's two edges, doubled: below 1 - confidence
    exactly where the interval at that confidence lies outside.
    """
    return beyond_p(max(math.log(ratio / region.high), math.log(region.low / ratio)), log_sd, n)


def beyond_p(away: float, sd: float, n: int) -> float:
    """Returns the two-sided p-value of "the true mean lies within a margin", by Student's t on `n` values
    whose mean lies `away` beyond it; 1 where it lies within.
    """
    if away <= 0:
        return 1.0
    if sd == 0:
        return 0.0
    return float(2 * special.stdtr(n - 1, -away * math.sqrt(n) / sd))


def false_discovery(p_values: Sequence[float]) -> tuple[float, ...]:
    """Returns Benjamini and Hochberg's adjusted p-values (1995), in the given order.

    Of those at or below q, a share of q is false on average.
    """
    p = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(p, kind="stable")
    scaled = p[order] * p.size / np.arange(1, p.size + 1)
    adjusted = np.minimum.accumulate(scaled[::-1])[::-1]
    found = np.empty_like(p)
    found[order] = np.minimum(adjusted, 1.0)
    return tuple(found.tolist())


def family_wise(p_values: Sequence[float]) -> tuple[float, ...]:
    """Returns Holm's (1979) adjusted p-values in the given order.

    Of those at or below 1 - confidence not one is false in as many studies as the confidence says.
    """
    p = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(p, kind="stable")
    scaled = p[order] * (p.size - np.arange(p.size))
    found = np.empty_like(p)
    found[order] = np.minimum(np.maximum.accumulate(scaled), 1.0)
    return tuple(found.tolist())
