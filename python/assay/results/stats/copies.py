"""Analyses equal treatments in blocks: how much single runs vary, and whether the place in a block
matters.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from assay.results.stats import special
from assay.results.stats.intervals import t_quantile


@dataclass(frozen=True)
class Spread:
    """The standard deviation of the logarithm of a single run, with its interval; 0.01 means 1 %."""

    log_sd: float
    low: float
    high: float
    degrees: int  # of freedom


@dataclass(frozen=True)
class Effect:
    """The logarithms by which rows differ from their common mean, and the two-sided p-value of "none
    differs".
    """

    logs: tuple[float, ...]
    p_value: float


def spread(logs: ArrayLike, confidence: float = 0.95) -> Spread:
    """Returns the spread of single runs, from the residuals after the means of rows and columns: copies by
    blocks, one log a run.

    With k copies in n blocks it has (k - 1)(n - 1) degrees of freedom, and a chi-squared interval. Raises
    `ValueError` below two of either.
    """
    _, residual, degrees = _additive(logs)
    tail = (1 - confidence) / 2
    low, high = (math.sqrt(residual / float(special.chdtri(degrees, p))) for p in (tail, 1 - tail))
    return Spread(math.sqrt(residual / degrees), low, high, degrees)


def row_effect(logs: ArrayLike) -> Effect:
    """Returns how far each row lies from the mean of all, and the F test of rows with columns as blocks.

    Raises `ValueError` below two of either.
    """
    means, residual, degrees = _additive(logs)
    between = float(np.sum(means**2)) * np.asarray(logs).shape[1] / (means.size - 1)
    if residual == 0:
        return Effect(tuple(means.tolist()), float(between == 0))
    ratio = between * degrees / residual
    return Effect(tuple(means.tolist()), float(special.fdtrc(means.size - 1, degrees, ratio)))


def spread_between(effect: Effect, noise: Spread, columns: int) -> float:
    """Returns the standard deviation of the true effects of rows, by moments: 0 where the noise of single
    values, over so many columns, explains what is seen.
    """
    rows = np.asarray(effect.logs)
    seen = float(np.sum(rows**2)) / (rows.size - 1)
    return math.sqrt(max(seen - noise.log_sd**2 / columns, 0.0))


def drift(logs: ArrayLike) -> tuple[float, float] | None:
    """Returns the slope of a line through the means of blocks, per block, and the two-sided p-value of "no
    slope".

    Each column of `logs` is a block, in order. None below three blocks.
    """
    means = np.asarray(logs, dtype=np.float64).mean(axis=0)
    if means.size < 3:
        return None
    at = np.arange(means.size) - (means.size - 1) / 2
    slope = float(at @ means / (at @ at))
    rest = float(np.sum((means - means.mean() - slope * at) ** 2))
    degrees = means.size - 2
    if means.std() == 0:
        return 0.0, 1.0
    t = math.inf if rest == 0 else abs(slope) * math.sqrt(float(at @ at) * degrees / rest)
    return slope, float(2 * special.stdtr(degrees, -t))


def bound_of_equals(log_sd: float, degrees: int, blocks: int, confidence: float = 0.95) -> float:
    """Returns how far from 1 the measured ratio of two equal treatments lies at most, over `blocks` blocks:
    0.03 means 3 %.
    """
    half = t_quantile((1 + confidence) / 2, degrees) * log_sd * math.sqrt(2 / blocks)
    return math.expm1(half)


def _additive(logs: ArrayLike) -> tuple[np.ndarray, float, int]:
    """Returns the effects of rows, the residual sum of squares after rows and columns, and its degrees of
    freedom.
    """
    x = np.asarray(logs, dtype=np.float64)
    if x.ndim != 2 or min(x.shape) < 2:
        raise ValueError("the spread of copies needs at least two of them in at least two blocks")
    rows = x.mean(axis=1) - x.mean()
    rest = x - x.mean(axis=0) - rows[:, None]
    squares = float(np.sum(rest**2))
    # What is left of equal figures is rounding.
    negligible = x.size * (1e-12 * max(1.0, float(np.abs(x).max()))) ** 2
    return rows, 0.0 if squares <= negligible else squares, (x.shape[0] - 1) * (x.shape[1] - 1)
