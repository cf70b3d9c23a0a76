"""The gamma function, the gamma distribution and the chi-squared distribution.

Shares are sums of a power series below the mean and continued fractions above it (Abramowitz and Stegun 1964,
6.5.29 and 6.5.31); their common factor is taken from Stirling's series, which loses no digits for large
shapes (Loader 2000).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.results.stats.special.normal import ndtri

Floats = NDArray[np.float64]

_LGAMMA = np.frompyfunc(math.lgamma, 1, 1)
_NDTRI = np.frompyfunc(ndtri, 1, 1)
_HALF_LOG_2PI = 0.5 * math.log(2 * math.pi)
_CLOSE = 4e-16
_TINY = 1e-300
_MOST_TERMS = 100_000
_MOST_STEPS = 100
_LAST_STEP = 1e-9
"""A step from which on the next is below the last digit: each is about the square of the one before."""
_SHORT_STEP, _LONG_STEP = 0.1, 2.0
"""Steps of the logarithm of a quantile where the guess lies too far out in a tail, and the longest."""


def gammaln(x: ArrayLike) -> Floats:
    """Returns the logarithms of the gamma function."""
    return np.asarray(_LGAMMA(np.asarray(x, dtype=np.float64)), dtype=np.float64)


def stirling_error(z: float) -> float:
    """Returns how far the logarithm of the gamma function lies above (z − ½) ln z − z + ½ ln 2π."""
    if z < 15:
        return math.lgamma(z) - ((z - 0.5) * math.log(z) - z + _HALF_LOG_2PI)
    square = z * z
    return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / (1188 * square)) / square) / square) / square) / z


def gammaincinv(shape: float, shares: ArrayLike) -> Floats:
    """Returns the quantiles of the gamma distribution with this shape at these shares, from 0 to 1."""
    below = np.asarray(shares, dtype=np.float64)
    return _quantiles(shape, below, 1 - below)


def chdtri(degrees: float, above: float) -> float:
    """Returns the value that a chi-squared variable exceeds with probability `above`."""
    return 2 * float(_quantiles(degrees / 2, np.array([1 - above]), np.array([above]))[0])


def gamma_shares(shape: float, x: Floats) -> tuple[Floats, Floats, Floats]:
    """Returns the shares of the gamma distribution below and above each `x`, and x times its density there.

    The smaller share has full relative precision.
    """
    with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
        away = (x - shape) / shape
        near = shape * (away - np.log1p(away))
        far = shape * np.log(shape / x) + x - shape  # log1p has lost the digits of a small x
        weight = np.exp(-stirling_error(shape) - np.where(away > -0.5, near, far))
        weight *= math.sqrt(shape / (2 * math.pi))
    is_low = x < shape + 1
    share = np.where(x == 0, 0.0, weight)
    share[is_low] *= _series(shape, x[is_low])
    share[~is_low] *= _fraction(shape, x[~is_low])
    share[np.isinf(x)] = 0.0
    return np.where(is_low, share, 1 - share), np.where(is_low, 1 - share, share), weight


def _series(shape: float, x: Floats) -> Floats:
    term = np.full(x.shape, 1 / shape)
    total = term.copy()
    for number in range(1, _MOST_TERMS):
        term = term * (x / (shape + number))
        total += term
        if not np.any(term > _CLOSE * total):
            break
    return total


def _fraction(shape: float, x: Floats) -> Floats:
    """Returns the continued fraction by Lentz's method (Press et al., "Numerical Recipes", 6.2)."""
    x = np.minimum(x, 1e300)
    b = x + 1 - shape
    c, d = np.full(x.shape, 1 / _TINY), 1 / b
    total = d
    for number in range(1, _MOST_TERMS):
        factor = -number * (number - shape)
        b = b + 2
        d = 1 / _not_zero(factor * d + b)
        c = _not_zero(b + factor / c)
        change = c * d
        total = total * change
        if not np.any(np.abs(change - 1) > _CLOSE):
            break
    return total


def _not_zero(values: Floats) -> Floats:
    return np.where(np.abs(values) < _TINY, _TINY, values)


def _quantiles(shape: float, below: Floats, above: Floats) -> Floats:
    """Returns the quantiles with these shares below and above them, by Newton's steps on the logarithms of
    the value and of its smaller share.
    """
    inside = (below > 0) & (above > 0)
    p, q = below[inside], above[inside]
    is_low = p < q
    normal = np.asarray(np.where(is_low, _NDTRI(p), -_NDTRI(q)), dtype=np.float64)
    cubed = 1 - 1 / (9 * shape) + normal / (3 * math.sqrt(shape))  # Wilson and Hilferty 1931
    small = (np.log(p) + math.lgamma(shape + 1)) / shape
    log_x = np.where(cubed > 0.1, math.log(shape) + 3 * np.log(np.maximum(cubed, 0.1)), small)
    for _ in range(_MOST_STEPS):
        lower, upper, weight = gamma_shares(shape, np.exp(log_x))
        with np.errstate(divide="ignore", invalid="ignore"):
            step = np.where(is_low, lower * np.log(p / lower) / weight, -upper * np.log(q / upper) / weight)
        inward = np.where(is_low, _SHORT_STEP, -_SHORT_STEP)  # a share below all numbers has no logarithm
        step = np.clip(np.where(np.isfinite(step), step, inward), -_LONG_STEP, _LONG_STEP)
        log_x = log_x + step
        if not np.any(np.abs(step) > _LAST_STEP):
            break
    found = np.where(below > 0, np.inf, 0.0)
    found[np.isnan(below)] = np.nan
    found[inside] = np.exp(log_x)
    return found
