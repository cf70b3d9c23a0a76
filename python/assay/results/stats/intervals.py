"""Confidence intervals of a mean of independent replicates (blocks)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.results.stats import special


@dataclass(frozen=True)
class ConfidenceInterval:
    """An estimate from `n` replicates, with its interval; `low` and `high` are None below two replicates."""

    value: float
    low: float | None
    high: float | None
    n: int


@lru_cache(maxsize=4096)
def t_quantile(probability: float, degrees: float) -> float:
    """Returns a quantile of Student's t distribution."""
    return float(special.stdtrit(degrees, probability))


def mean_and_error(x: NDArray[np.float64]) -> tuple[float, float | None]:
    """Returns the mean of one or more values, and its standard error: None of a single one."""
    mean = np.add.reduce(x) / x.size
    if x.size < 2:
        return float(mean), None
    away = x - mean
    return float(mean), math.sqrt(np.add.reduce(away * away) / (x.size - 1)) / x.size**0.5


def mean_interval(values: ArrayLike, confidence: float = 0.95) -> ConfidenceInterval:
    """Returns the arithmetic mean with Student's t interval. Raises `ValueError` without values."""
    x = np.asarray(values, dtype=np.float64)
    if x.size == 0:
        raise ValueError("an interval needs at least one value")
    mean, error = mean_and_error(x)
    if error is None:
        return ConfidenceInterval(mean, None, None, 1)
    half = t_quantile((1 + confidence) / 2, x.size - 1) * error
    return ConfidenceInterval(mean, mean - half, mean + half, x.size)


def zero_p(values: ArrayLike) -> float | None:
    """Returns the two-sided p-value of "the mean is zero", by Student's t; None below two values."""
    x = np.asarray(values, dtype=np.float64)
    if x.size < 2:
        return None
    mean, error = mean_and_error(x)
    if not error:
        return 1.0 if mean == 0 else 0.0
    return float(2 * special.stdtr(x.size - 1, -abs(mean) / error))


def geometric_interval(values: ArrayLike, confidence: float = 0.95) -> ConfidenceInterval:
    """Returns the geometric mean with the t interval of the logarithms, for positive values whose noise is
    relative.

    Raises `ValueError` when a value is zero or negative.
    """
    x = np.asarray(values, dtype=np.float64)
    if np.any(x <= 0):
        raise ValueError("a geometric mean needs positive values")
    logs = mean_interval(np.log(x), confidence)
    low, high = (None if edge is None else float(np.exp(edge)) for edge in (logs.low, logs.high))
    return ConfidenceInterval(float(np.exp(logs.value)), low, high, logs.n)


def expanded_tail(n: int, confidence: float) -> float:
    """Returns the share to cut off each end of a bootstrap so that its width is that of a t interval with n -
    1 degrees.
    """
    return float(special.ndtr(-t_quantile((1 + confidence) / 2, n - 1) * (n / (n - 1)) ** 0.5))
