"""Finds the highest rate that meets an objective, with short and noisy windows.

An objective "99 % within 10 ms" is met in the long run while the mean share of operations beyond 10 ms is at
most 1 %. Near the knee that share rises steeply with the rate, and it varies from window to window far more
than counting explains, because slow operations come in clusters. So each window's count is taken as negative
binomial, and its mean as an exponential of the rate, which it is for one exponential server (M/M/1) and is
near the knee for any other. All windows are kept as likelihood over a grid of (knee, steepness, scatter), and
the next window is placed where the knee probably is: root finding with noisy answers, as in Waeber, Frazier
and Henderson, "Bisection Search with Noisy Responses" (SIAM J. Control Optim. 51, 2013).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from assay.results.stats import special

Floats = NDArray[np.float64]

_STEEPNESS = np.geomspace(1.0, 100.0, 14)
"""Growth of the logarithm of the share beyond the limit when the rate doubles: 5 at half load, 100 at a wall.
A steep law believed too early calls luck precision, so belief begins in proportion to 1 / steepness."""
_SCATTER = np.geomspace(0.1, 10.0, 8)
"""Negative binomial size: variance = mean + mean² / size."""
_LUCK = 0.02
"""Share of windows whose outcome has nothing to do with the rate: a checkpoint, a neighbour."""
_LIKELY, _SPREAD = 0.6, 0.6
"""Before any probe: the knee is near 0.6 of capacity, as often as not within a factor of 1.8."""
_LEAST, _MOST = 1e-3, 1.5
"""The grid, in shares of capacity. No load is served beyond capacity, but capacity can be misjudged: the grid
grows where windows at its end meet the objective."""
_GROWTH, _MOST_GROWTH = 4.0, 4
"""Factor by which it grows, and how many times at most: no closed loop is that far off."""
_AT_THE_END = 1.1
_CELLS = 600
_OUTWARD = (0.0, 1.0, -1.0)
"""Probes go to the knee itself, then to where the share is e times more and less: there steepness shows."""
_FARTHEST = 0.3
_NEVER = -50.0  # logarithm of a share
_FEWEST = 12
"""Probes before a search may call itself precise: fewer cannot tell scatter from steepness."""


class End(StrEnum):
    """The reason why a search stopped."""

    PRECISE = "precise"
    BUDGET = "budget"
    NEVER_MET = "never-met"
    ALWAYS_MET = "always-met"


@dataclass(frozen=True)
class Knee:
    """The highest rate that meets the objective, with its interval, in arrivals per second.

    There is no rate for `NEVER_MET` (no probe met the objective, so the knee is below `high`) and
    `ALWAYS_MET` (none failed, so it is above `low`).
    """

    rate: float | None
    low: float | None
    high: float | None
    end: End
    probes: int


class KneeSearch:
    """A search for the knee: measure at `next_rate`, `tell` the outcome, until `next_rate` is None; then read
    `knee`.

    `capacity` is the rate that a closed loop reached, per second. `share` is the share of operations that
    must be within the limit (0.99). `lowest` is the lowest rate worth a probe. `precision` is half of the
    interval's width, as a share of the rate. Raises `ValueError` for impossible values of these.
    """

    def __init__(
        self,
        capacity: float,
        share: float,
        *,
        lowest: float = 0.0,
        precision: float = 0.05,
        confidence: float = 0.95,
        budget: int = 40,
    ) -> None:
        if not capacity > 0 or not all(0 < x < 1 for x in (share, precision, confidence)) or budget < 1:
            raise ValueError("a search needs a capacity, shares between 0 and 1, and at least one probe")
        self._allowed, self._precision, self._confidence = 1 - share, precision, confidence
        self._budget, self._lowest = budget, lowest
        self._told: list[tuple[float, int, int]] = []
        self._grown = 0
        self._met: list[float] = []
        self._failed: list[float] = []
        self._over(capacity)

    def _over(self, capacity: float) -> None:
        """Begins with the belief before any window, over the grid of a capacity."""
        self._capacity = capacity
        least = min(max(_LEAST * capacity, self._lowest), capacity / 2)
        self._logs = np.linspace(np.log(least), np.log(_MOST * capacity), _CELLS)
        away = (self._logs - np.log(_LIKELY * capacity)) / _SPREAD
        self._belief: Floats = np.repeat(-np.log(_STEEPNESS)[:, None, None], _SCATTER.size, axis=1)
        self._belief = self._belief - np.log1p(away**2)
        self._kept: Floats | None = None

    @property
    def probes(self) -> int:
        """Number of windows taken in so far."""
        return len(self._met) + len(self._failed)

    def next_rate(self) -> float | None:
        """Returns the rate to measure next, in arrivals per second; None when the search is over."""
        if self._end() is not None:
            return None
        step = 0.0
        if self._met and self._failed:
            width = float(self._weights().sum(axis=(1, 2)) @ (1 / _STEEPNESS))
            step = _OUTWARD[self.probes % len(_OUTWARD)] * min(width, _FARTHEST)
        return float(np.exp(np.clip(self._at(0.5) + step, self._logs[0], self._logs[-1])))

    def tell(self, rate: float, beyond: int, total: int) -> None:
        """Takes in a window at `rate`, in which `beyond` of `total` operations took too long or were never
        served.

        Raises `ValueError` for an empty window.
        """
        if not 0 <= beyond <= total or total == 0:
            raise ValueError(
                f"a window needs at least one operation, and at most all beyond: {beyond} of {total}"
            )
        (self._met if beyond <= self._allowed * total else self._failed).append(rate)
        self._told.append((rate, beyond, total))
        self._learn(rate, beyond, total)
        if self._ends_met() and self._grown < _MOST_GROWTH:
            # The capacity was misjudged: a server that meets the objective beyond it can do more.
            self._grown += 1
            self._over(self._capacity * _GROWTH)
            for window in self._told:
                self._learn(*window)

    def _learn(self, rate: float, beyond: int, total: int) -> None:
        growth = _STEEPNESS[:, None, None] * np.expm1(np.log(rate) - self._logs)
        log_mean = np.log(total) + np.clip(np.log(self._allowed) + growth, _NEVER, 0.0)
        mean = np.exp(log_mean)
        size = _SCATTER[None, :, None]
        chance = (
            special.gammaln(beyond + size)
            - special.gammaln(size)
            - special.gammaln(beyond + 1)
            + beyond * (log_mean - np.log(size))
            - (size + beyond) * np.log1p(mean / size)
        )
        # Luck may give any count, all alike.
        self._kept = None
        self._belief += np.logaddexp(np.log(1 - _LUCK) + chance, np.log(_LUCK / (total + 1)))

    def knee(self) -> Knee:
        """Returns the knee as known so far; a search that is not over counts as out of budget."""
        end = self._end() or End.BUDGET
        if not self._met:
            return Knee(None, None, min(self._failed, default=None), End.NEVER_MET, self.probes)
        if not self._failed:
            return Knee(None, max(self._met), None, End.ALWAYS_MET, self.probes)
        edge = (1 - self._confidence) / 2
        low, rate, high = (float(np.exp(self._at(share))) for share in (edge, 0.5, 1 - edge))
        return Knee(rate, low, high, end, self.probes)

    def _ends_met(self) -> bool:
        """Returns whether windows at the end of the grid met the objective, and one that failed had a lower
        rate: it was luck.
        """
        edge = float(np.exp(self._logs[-1])) / _AT_THE_END
        there = sum(rate > edge for rate in self._met)
        if not self._failed:
            return there > 0 and len(self._met) > 1
        return there > 1 and max(self._failed) < edge

    def _end(self) -> End | None:
        # Nothing else was seen, down to the end of the grid: there is no knee in it.
        least = np.exp(self._logs[0])
        if not self._met and len(self._failed) > 1 and min(self._failed) < least * _AT_THE_END:
            return End.NEVER_MET
        if not self._failed and self._ends_met():
            return End.ALWAYS_MET
        if self.probes >= self._budget:
            return End.BUDGET
        if self._met and self._failed and self.probes >= _FEWEST:
            edge = (1 - self._confidence) / 2
            if self._at(1 - edge) - self._at(edge) <= 2 * np.log1p(self._precision):
                return End.PRECISE
        return None

    def _at(self, share: float) -> float:
        """Returns the logarithm of the rate below which the knee lies with this probability."""
        return float(np.interp(share, np.cumsum(self._weights().sum(axis=(0, 1))), self._logs))

    def _weights(self) -> Floats:
        """Returns the probability of each cell of the grid. A window moves it once, and it is read often."""
        if self._kept is None:
            weights = np.exp(self._belief - self._belief.max())
            self._kept = np.asarray(weights / weights.sum())
        return self._kept
