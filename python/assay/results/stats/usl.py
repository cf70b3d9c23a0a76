"""Fits the Universal Scalability Law, which says how throughput grows with concurrency, within the range of
the data.

X(N) = γN / (1 + σ(N − 1) + κN(N − 1)): γ is the throughput of one, σ the share that waits in line
(contention), κ the cost of keeping the others consistent (coherency). Source: Gunther, "Guerrilla Capacity
Planning" (2007), chapters 4 to 6.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.results.stats.intervals import ConfidenceInterval, expanded_tail, mean_interval

FEWEST_RUNGS = 4
"""Fewest rungs of a fit: with its three parameters, only a fourth point can contradict the law."""
FEWEST_BLOCKS = 5
"""Fewest blocks of an interval: with fewer, resampling makes it too narrow (at three, 95 % intervals hold the
truth in 75 %).
"""
MISFIT = 0.10
"""Residual at any rung from which on the law does not describe the server, and no peak is given."""
ENOUGH_RUNGS = 7
"""Rungs from which on `MISFIT` sees a step. With fewer, the three parameters bend to a step as well: a peak
within reach is then given only where throughput surely falls at the last rung, as no step alone makes it.
"""
USL_REACH = 2.0
"""Multiple of the largest measured load up to which the law is evaluated."""

Floats = NDArray[np.float64]


_LEAST_SHARE = 1e-9
"""Share of c that a + b must have: below it the fit lies at the edge, where one connection does infinitely
much."""
_MOST_WITHOUT_FIT = 0.01
"""Share of the resamples that may have no fit."""


@dataclass(frozen=True)
class Peak:
    """The load with the highest throughput, sqrt((1 − σ) / κ). Infinity: beyond what the data can show."""

    value: float
    low: float | None
    high: float | None

    @property
    def in_sight(self) -> bool:
        """Whether the peak lies within reach of the measured loads."""
        return bool(np.isfinite(self.value))

    def __str__(self) -> str:
        if not self.in_sight:
            return "no peak in sight" + ("" if self.low is None else f" below {self.low:.0f}")
        if self.low is None or self.high is None:
            return f"peak at {self.value:.0f}"
        if not np.isfinite(self.high):
            return f"peak at {self.value:.0f} ({self.low:.0f} or more)"
        return f"peak at {self.value:.0f} ({self.low:.0f} to {self.high:.0f})"


@dataclass(frozen=True)
class Usl:
    """A fitted law. `residuals`: measured / fitted − 1 at each of `loads`.

    Intervals are None below `FEWEST_BLOCKS`. `peak` is None where the law misses a rung by `MISFIT` or more,
    and where it lies within reach of under `ENOUGH_RUNGS` loads, but throughput does not surely fall.
    """

    gamma: ConfidenceInterval
    sigma: ConfidenceInterval
    kappa: ConfidenceInterval
    peak: Peak | None
    loads: tuple[float, ...]
    residuals: tuple[float, ...]

    @property
    def worst(self) -> tuple[float, float]:
        """The load at which the law fits worst, and measured / fitted − 1 there."""
        return max(zip(self.loads, self.residuals, strict=True), key=lambda rung: abs(rung[1]))

    def throughput(self, load: float) -> float:
        """Returns the law's throughput at `load`. Raises `ValueError` below 1 and beyond `USL_REACH` times
        the data.
        """
        most = USL_REACH * max(self.loads)
        if not 1 <= load <= most:
            raise ValueError(f"the law was fitted up to {max(self.loads):g}: it is not asked about {load:g}")
        return float(_law(np.array(load), self.gamma.value, self.sigma.value, self.kappa.value))


def fit_usl(
    loads: ArrayLike,
    throughput: ArrayLike,
    confidence: float = 0.95,
    *,
    draws: int = 1000,
    seed: int = 0,
) -> Usl:
    """Fits the law to `throughput`, blocks × loads (or one row), in any unit per time.

    Noise of throughput is relative, so residuals are weighed by the measured value. N / X is linear in
    a = (1 − σ) / γ, b = σ / γ, c = κ / γ: N / X = a + bN + cN(N − 1); least squares with a, b, c ≥ 0 is then
    0 ≤ σ ≤ 1 and κ ≥ 0, has one minimum and needs no first guess. Blocks are resampled whole, for their rungs
    share a server start; the intervals are widened for few blocks (Hesterberg 2015).

    Raises `ValueError` below `FEWEST_RUNGS` different loads, for values that are not positive, and where no
    law fits: throughput that falls as fast as 1 / N has its fit at γ = ∞.
    """
    n = np.asarray(loads, dtype=np.float64)
    x = np.atleast_2d(np.asarray(throughput, dtype=np.float64))
    if np.unique(n).size < FEWEST_RUNGS:
        raise ValueError(f"the law needs {FEWEST_RUNGS} different loads, there are {np.unique(n).size}")
    if x.shape[1] != n.size or not np.all(np.isfinite(x)) or np.any(x <= 0) or np.any(n < 1):
        raise ValueError("the law needs loads from 1 on, and a positive throughput of each in every block")
    logs = np.log(x)
    whole = _solve(n, np.exp(logs.mean(axis=0)))
    blocks = x.shape[0]
    if blocks < FEWEST_BLOCKS:
        drawn = None
    else:
        chosen = np.random.default_rng(seed).integers(0, blocks, size=(draws, blocks))
        drawn = _laws(n, np.exp(logs[chosen].mean(axis=1)))
        drawn = drawn[~np.isnan(drawn).any(axis=1)]
        if len(drawn) < draws * (1 - _MOST_WITHOUT_FIT):
            raise ValueError("the law does not fit: not even blocks of the same measurement agree on a law")
    tail = 0.5 if blocks < FEWEST_BLOCKS else expanded_tail(blocks, confidence)

    def ends(column: Floats) -> tuple[float, float]:
        low, high = np.quantile(column, [tail, 1 - tail], method="inverted_cdf")
        return float(low), float(high)

    def interval(at: int) -> ConfidenceInterval:
        low, high = (None, None) if drawn is None else ends(drawn[:, at])
        return ConfidenceInterval(float(whole[at]), low, high, blocks)

    reach = USL_REACH * float(n.max())
    low, high = (None, None) if drawn is None else ends(_within(drawn[:, 3], reach))
    gamma, sigma, kappa = (interval(at) for at in range(3))
    fitted = _law(n, *whole[:3])
    residuals = tuple((np.exp(logs.mean(axis=0)) / fitted - 1).tolist())
    peak = None
    if max(map(abs, residuals)) < MISFIT:
        peak = Peak(float(_within(whole[3:], reach)[0]), None if low is None else min(low, reach), high)
        if peak.in_sight and n.size < ENOUGH_RUNGS and not _falls(n, logs, confidence):
            peak = None
    return Usl(gamma, sigma, kappa, peak, tuple(n.tolist()), residuals)


def _falls(n: Floats, logs: Floats, confidence: float) -> bool:
    """Returns whether throughput at the largest load is surely below that of another, block by block."""
    last, best = int(n.argmax()), int(logs.mean(axis=0).argmax())
    high = mean_interval(logs[:, last] - logs[:, best], confidence).high
    return last != best and high is not None and high < 0


def _law(n: Floats, gamma: float, sigma: float, kappa: float) -> Floats:
    return np.asarray(gamma * n / (1 + sigma * (n - 1) + kappa * n * (n - 1)))


def _solve(n: Floats, x: Floats) -> Floats:
    """Returns γ, σ, κ and the peak (infinity without coherency)."""
    law: Floats = _laws(n, x[None])[0]
    if np.isnan(law).any():
        raise ValueError(
            "the law does not fit: throughput falls faster with the load than its coherency allows, so that"
            " one connection would have to do infinitely much"
        )
    return law


def _laws(n: Floats, rows: Floats) -> Floats:
    """Returns γ, σ, κ and the peak of each row of throughput; NaN where a row has no fit."""
    designs = np.column_stack([np.ones_like(n), n, n * (n - 1)]) * (rows / n)[:, :, None]
    # Columns of like size: loads go up to thousands, their squares to millions.
    scale = np.linalg.norm(designs, axis=1, keepdims=True)
    a, b, c = (_positive_fits(designs / scale, np.ones_like(n)) / scale[:, 0]).T
    fits = a + b > _LEAST_SHARE * c
    first = np.where(fits, a + b, np.nan)
    peak = np.sqrt(np.divide(a, c, out=np.full_like(a, np.inf), where=c > 0))
    return np.column_stack([1 / first, b / first, c / first, np.where(fits, np.maximum(peak, 1.0), np.nan)])


def _positive_fits(designs: Floats, wanted: Floats) -> Floats:
    """Returns the coefficients of each design's least-squares fit that has none below zero.

    The best fit is that of some of the columns alone, with the other coefficients zero. There are few
    columns: each choice is fitted, and among those without a coefficient below zero the nearest is the
    answer. Where all columns together are such a fit, none is nearer.
    """
    columns = designs.shape[2]
    best = np.zeros((len(designs), columns))
    least = np.full(len(designs), float(wanted @ wanted))
    left = np.arange(len(designs))
    for count in range(columns, 0, -1):
        for chosen in combinations(range(columns), count):
            some = designs[left][:, :, list(chosen)]
            q, r = np.linalg.qr(some)
            fits = np.linalg.solve(r, np.swapaxes(q, 1, 2) @ wanted[:, None])
            distances = ((some @ fits)[:, :, 0] - wanted) ** 2 @ np.ones_like(wanted)
            nearer = (fits[:, :, 0] >= 0).all(axis=1) & ((distances < least[left]) | (count == columns))
            at = left[nearer]
            least[at] = distances[nearer]
            best[at] = 0.0
            best[at[:, None], list(chosen)] = fits[nearer, :, 0]
            if count == columns:
                left = left[~nearer]
    return best


def _within(peaks: Floats, reach: float) -> Floats:
    return np.where(peaks > reach, np.inf, peaks)
