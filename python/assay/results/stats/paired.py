"""Compares two treatments block by block, since what a block does to both cancels in the ratio."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.results.stats.intervals import mean_interval

#: Blocks up to which all sign patterns are counted; beyond, they are drawn.
EXACT_UP_TO = 20


@dataclass(frozen=True)
class PairedRatio:
    """The ratio other / baseline over `n` blocks. `low`, `high`, `p_value`, `log_sd` are None below two
    blocks.
    """

    ratio: float
    low: float | None
    high: float | None
    p_value: float | None
    log_sd: float | None
    n: int


def paired_ratio(
    baseline: ArrayLike, other: ArrayLike, confidence: float = 0.95, *, seed: int = 0
) -> PairedRatio:
    """Returns the geometric mean of other/baseline; element i of both comes from the same block.

    The interval is Student's t on the log-ratios, the p-value the two-sided sign-flip permutation test of
    "ratio = 1". Raises `ValueError` on unequal lengths, no blocks, or values that are not positive.
    """
    a, b = np.asarray(baseline, dtype=np.float64), np.asarray(other, dtype=np.float64)
    if a.shape != b.shape:
        raise ValueError("a paired comparison needs the same blocks on both sides")
    if np.any(a <= 0) or np.any(b <= 0):
        raise ValueError("a ratio needs positive values")
    logs = np.log(b / a)
    found = mean_interval(logs, confidence)
    if found.low is None or found.high is None:
        return PairedRatio(float(np.exp(found.value)), None, None, None, None, found.n)
    return PairedRatio(
        ratio=float(np.exp(found.value)),
        low=float(np.exp(found.low)),
        high=float(np.exp(found.high)),
        p_value=sign_flip_p(logs, seed=seed),
        log_sd=float(logs.std(ddof=1)),
        n=found.n,
    )


def widened_ratio(found: PairedRatio, factor: float) -> PairedRatio:
    """Returns a ratio whose interval, and the spread that it is made from, are so many times as wide."""
    if found.low is None or found.high is None or found.log_sd is None:
        return found
    below, above = (math.log(found.ratio / end) * factor for end in (found.low, found.high))
    low, high = (found.ratio * math.exp(-away) for away in (below, above))
    return replace(found, low=low, high=high, log_sd=found.log_sd * factor)


def sign_flip_p(differences: ArrayLike, *, seed: int = 0, draws: int = 20_000) -> float:
    """Returns the two-sided p-value of "differences are symmetric around zero" (Fisher's permutation test for
    pairs).

    Exact up to 20 values: the share of all 2^n sign patterns whose sum is at least as far from zero; the
    smallest possible is 2/2^n. Beyond 20, `draws` random patterns from `seed`, with the observed one counted.
    """
    d = np.asarray(differences, dtype=np.float64)
    if d.size == 0:
        raise ValueError("a permutation test needs at least one value")
    seen = abs(float(d.sum()))
    # Sums that are equal but for rounding must count as equal.
    limit = seen - 1e-9 * float(np.abs(d).sum())
    if d.size <= EXACT_UP_TO:
        return float(np.mean(np.abs(_all_sums(d)) >= limit))
    random = np.random.default_rng(seed)
    signs = random.integers(0, 2, size=(draws, d.size)) * 2 - 1
    return float((1 + np.count_nonzero(np.abs(signs @ d) >= limit)) / (1 + draws))


def _all_sums(d: NDArray[np.float64]) -> NDArray[np.float64]:
    # The first sign stays: a pattern and its mirror image are equally far from zero.
    sums = d[:1]
    for value in d[1:]:
        sums = np.concatenate((sums + value, sums - value))
    return sums
