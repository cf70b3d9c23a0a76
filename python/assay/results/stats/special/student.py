"""Student's t distribution, central and noncentral."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from numpy.typing import NDArray

from assay.results.stats.special.beta import beta_quantile, beta_shares
from assay.results.stats.special.gamma import gamma_shares, stirling_error
from assay.results.stats.special.normal import ndtr, ndtri

Floats = NDArray[np.float64]

_SIGMAS = 9.0
"""Standard deviations beyond which a normal variable has less than 1e-18 of its values."""
_PANELS, _POINTS = 12, 16


def stdtr(degrees: float, t: float) -> float:
    """Returns the probability of a value up to `t`, also far in the lower tail to the last digits."""
    degrees, t = float(degrees), float(t)
    if math.isnan(t) or not degrees > 0:
        return math.nan
    if math.isinf(degrees):
        return ndtr(t)
    if math.isinf(t):
        return 0.0 if t < 0 else 1.0
    square = t * t
    if math.isinf(square):
        square = 1e308
    x, y = degrees / (degrees + square), square / (degrees + square)
    beyond, within = beta_shares(degrees / 2, 0.5, x, y)
    if t > 0:
        return 1 - beyond / 2
    return beyond / 2 if beyond < 0.5 else 0.5 - within / 2


def stdtrit(degrees: float, probability: float) -> float:
    """Returns the quantile: infinite at 0 and 1, nan outside."""
    degrees, probability = float(degrees), float(probability)
    if math.isinf(degrees) or not 0 < probability < 1:
        return ndtri(probability)
    beyond = 2 * min(probability, 1 - probability)
    if beyond <= 0.5:
        x = beta_quantile(degrees / 2, 0.5, beyond)
        t = math.sqrt(degrees) * math.sqrt((1 - x) / x)
    elif beyond < 1:
        y = beta_quantile(0.5, degrees / 2, 1 - beyond)
        t = math.sqrt(degrees) * math.sqrt(y / (1 - y))
    else:
        t = 0.0
    return math.copysign(t, probability - 0.5)


def two_sided(degrees: int, t: Floats) -> Floats:
    """Returns for each value of t the probability of one as far from zero, with a whole number of degrees.

    Finite sums, for many values at once (Abramowitz and Stegun 1964, 26.7.3 and 26.7.4). Their errors are of
    the size of 1e-15, so that a probability far below that is not known; `stdtr` knows it.
    """
    angle = np.arctan(np.abs(t) / math.sqrt(degrees))
    cosine = np.cos(angle)
    square = cosine * cosine
    is_odd = degrees % 2
    term = cosine.copy() if is_odd else np.ones_like(cosine)
    total = np.zeros_like(cosine) if degrees == 1 else term.copy()
    for number in range(3 if is_odd else 2, degrees - 1, 2):
        term = term * square * ((number - 1) / number)
        total += term
    inside = np.sin(angle) * total
    within = 2 / math.pi * (angle + inside) if is_odd else inside
    return np.asarray(np.maximum(1 - within, 0.0))


def nctdtr(degrees: float, shift: float, t: float) -> float:
    """Returns the probability that the noncentral t with this noncentrality is at most `t`, which is
    positive, to about 1e-13.

    With s the observed standard deviation over the true one, it is the mean of Φ(ts − shift) over s: an
    integral where neither Φ nor the density of s is 0 or 1, and above that the share of s itself.
    """
    spread = _SIGMAS / math.sqrt(degrees)
    least, most = max(1 - spread, 0.0), 1 + spread
    low, high = (min(max((shift + side) / t, least), most) for side in (-_SIGMAS, _SIGMAS))
    rest = 0.0
    if high < most:
        rest = float(gamma_shares(degrees / 2, np.array([degrees * high * high / 2]))[1][0])
    if high <= low:
        return rest
    at, weights = _rule()
    s = low + (high - low) * at
    half = degrees / 2
    logs = -half * (s * s - 1 - 2 * np.log(s)) - np.log(s)
    density = math.sqrt(2 * half / math.pi) * math.exp(-stirling_error(half)) * np.exp(logs)
    return rest + (high - low) * float(np.sum(weights * ndtr(t * s - shift) * density))


@cache
def _rule() -> tuple[Floats, Floats]:
    """Returns the points and weights of Gauss and Legendre on (0, 1), in panels."""
    points, weights = np.polynomial.legendre.leggauss(_POINTS)
    starts = np.arange(_PANELS)[:, None]
    return ((starts + (points + 1) / 2) / _PANELS).ravel(), np.tile(weights / (2 * _PANELS), _PANELS)
