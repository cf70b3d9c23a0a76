"""Compares results of two machines: ratios of values that were measured apart, and agreement of ranks."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.results.stats import special
from assay.results.stats.intervals import ConfidenceInterval

_FEWEST = 3  # two points are always in order or against it


@dataclass(frozen=True)
class RankAgreement:
    """Rank correlations of `points` pairs: 1 for the same order, -1 for the opposite one."""

    points: int
    spearman: float
    kendall: float


@dataclass(frozen=True)
class LogSummary:
    """The mean and the standard deviation of `n` logarithms; of one value the deviation counts as unknown."""

    mean: float
    sd: float
    n: int


def rank_agreement(left: ArrayLike, right: ArrayLike) -> RankAgreement | None:
    """Returns Spearman's rho and Kendall's tau-b of pairs; None below three pairs, or where all values of a
    side are equal.

    Raises `ValueError` for sides of different lengths.
    """
    x, y = np.asarray(left, dtype=np.float64), np.asarray(right, dtype=np.float64)
    if x.shape != y.shape:
        raise ValueError("ranks agree or not by pairs: both sides need the same number of values")
    if x.size < _FEWEST or np.ptp(x) == 0 or np.ptp(y) == 0:
        return None
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        return RankAgreement(x.size, np.nan, np.nan)
    spearman = np.corrcoef(_ranks(x), _ranks(y))[0, 1]
    return RankAgreement(x.size, float(np.clip(spearman, -1, 1)), _tau_b(x, y))


def _ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns the ranks; equal values share the mean of theirs."""
    _, group, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2)[group])


def _tau_b(x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    """Returns Kendall's tau with his correction for ties (Kendall 1945), over all pairs."""
    concordance = pairs_x = pairs_y = 0
    for at in range(x.size - 1):
        of_x, of_y = np.sign(x[at + 1 :] - x[at]), np.sign(y[at + 1 :] - y[at])
        concordance += int(of_x @ of_y)
        pairs_x += int(np.count_nonzero(of_x))
        pairs_y += int(np.count_nonzero(of_y))
    return concordance / math.sqrt(pairs_x * pairs_y)


def unpaired_ratio(left: ArrayLike, right: ArrayLike, confidence: float = 0.95) -> ConfidenceInterval:
    """Returns the ratio of geometric means, left / right, of values that were measured apart, with its
    interval.

    Welch's interval on the logarithms, with Satterthwaite's degrees of freedom. A side of one value, such as
    a printed figure, counts as exact; without a second value on either side there is no interval. `n` is the
    number of values of the larger side. Raises `ValueError` without values, and for values of zero or less.
    """
    return ratio_of_summaries(log_summary(left), log_summary(right), confidence=confidence)


def log_summary(values: ArrayLike) -> LogSummary:
    """Returns the mean and spread of the logarithms of values. Raises `ValueError` without values, and for
    values of zero or less.
    """
    side = np.asarray(values, dtype=np.float64)
    if side.size == 0:
        raise ValueError("a ratio needs a value on each side")
    if np.any(side <= 0):
        raise ValueError("a ratio of geometric means needs positive values")
    logs = np.log(side)
    return LogSummary(float(logs.mean()), float(logs.std(ddof=1)) if side.size > 1 else 0.0, side.size)


def ratio_of_summaries(
    left: LogSummary, right: LogSummary, *, confidence: float = 0.95
) -> ConfidenceInterval:
    """Returns what `unpaired_ratio` returns, of values of which only means and spreads are kept."""
    ratio = left.mean - right.mean
    errors = [(side.sd**2 / side.n, side.n - 1) for side in (left, right) if side.n > 1]
    most = max(left.n, right.n)
    total = sum(error for error, _ in errors)
    spread = sum(error**2 / degrees for error, degrees in errors)
    half = 0.0
    if spread > 0:  # else equal values, or so near to equal that squares vanish
        half = float(special.stdtrit(total**2 / spread, (1 + confidence) / 2)) * total**0.5
    with np.errstate(over="ignore"):  # what passes all bounds is infinite
        value, low, high = (float(np.exp(one)) for one in (ratio, ratio - half, ratio + half))
    return (
        ConfidenceInterval(value, low, high, most) if errors else ConfidenceInterval(value, None, None, most)
    )
