"""The beta distribution, which gives those of F and of Student's t.

Shares are continued fractions (Press et al., "Numerical Recipes", 6.4); their common factor is taken from
Stirling's series, which loses no digits for large parameters (Loader 2000).
"""

from __future__ import annotations

import math

from assay.results.stats.special.gamma import stirling_error
from assay.results.stats.special.root import increasing_root

_CLOSE = 4e-16
_TINY = 1e-300
_MOST_TERMS = 100_000
_LEAST_LOG = -745.0
"""The logarithm of the smallest number above zero."""


def beta_shares(a: float, b: float, x: float, y: float) -> tuple[float, float]:
    """Returns the shares of the beta distribution below and above `x`, of which `y` is the rest to 1.

    The smaller share has full relative precision.
    """
    if x <= 0 or y <= 0:
        return (0.0, 1.0) if x <= 0 else (1.0, 0.0)
    weight = _weight(a, b, x, y)
    if x * (a + b + 2) < a + 1:
        lower = weight * _fraction(a, b, x) / a
        return lower, 1 - lower
    upper = weight * _fraction(b, a, y) / b
    return 1 - upper, upper


def betaincinv(a: float, b: float, below: float) -> float:
    """Returns the quantile of the beta distribution with this share below it."""
    if not 0 < below < 1:
        return float(below) if below in (0, 1) else math.nan
    if below <= 0.5:
        return beta_quantile(a, b, below)
    return 1 - beta_quantile(b, a, 1 - below)


def fdtrc(numerator: float, denominator: float, x: float) -> float:
    """Returns the probability that F with these degrees of freedom exceeds `x`."""
    if not x > 0:
        return 1.0 if x <= 0 else math.nan
    if math.isinf(x):
        return 0.0
    scaled = numerator * x
    whole = denominator + scaled
    return beta_shares(denominator / 2, numerator / 2, denominator / whole, scaled / whole)[0]


def beta_quantile(a: float, b: float, below: float) -> float:
    """Returns the quantile with this share below it, in (0, 0.5], to the last digits also near zero: by
    Newton's steps on the logarithms of both.
    """
    wanted = math.log(below)
    total = math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
    tail = (wanted + math.log(a) + total) / a  # where the density is a power of x
    mean = math.log(a) - math.log(a + b)

    def distance(log_x: float) -> tuple[float, float]:
        x, y = math.exp(log_x), -math.expm1(log_x)
        if x <= 0 or y <= 0:
            return (-math.inf if x <= 0 else -wanted), 0.0
        lower = beta_shares(a, b, x, y)[0]
        if lower <= 0:
            return -math.inf, 0.0
        return math.log(lower) - wanted, _weight(a, b, x, y) / (y * lower)

    return math.exp(increasing_root(distance, _LEAST_LOG, 0.0, max(min(tail, mean), _LEAST_LOG)))


def _weight(a: float, b: float, x: float, y: float) -> float:
    """Returns x^a y^b / B(a, b)."""
    whole = a + b
    away = stirling_error(whole) - stirling_error(a) - stirling_error(b)
    away -= _deviance(a, whole * x) + _deviance(b, whole * y)
    return math.exp(away) * math.sqrt(a * b / (2 * math.pi * whole))


def _deviance(x: float, mean: float) -> float:
    """Returns x ln(x / mean) + mean − x, exactly also where both are large and alike."""
    if mean <= 0:
        return math.inf
    away = (mean - x) / x
    if away > -0.5:
        return x * (away - math.log1p(away))
    return x * math.log(x / mean) + mean - x


def _fraction(a: float, b: float, x: float) -> float:
    """Returns the continued fraction by Lentz's method."""
    c, d = 1.0, 1 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > _TINY else _TINY)
    total = d
    for m in range(1, _MOST_TERMS):
        at = a + 2 * m
        factor = m * (b - m) * x / ((at - 1) * at)
        d = 1 + factor * d
        d = 1 / (d if abs(d) > _TINY else _TINY)
        c = 1 + factor / c
        c = c if abs(c) > _TINY else _TINY
        total *= d * c
        factor = -(a + m) * (a + b + m) * x / (at * (at + 1))
        d = 1 + factor * d
        d = 1 / (d if abs(d) > _TINY else _TINY)
        c = 1 + factor / c
        c = c if abs(c) > _TINY else _TINY
        total *= d * c
        if abs(d * c - 1) <= _CLOSE:
            break
    return total
