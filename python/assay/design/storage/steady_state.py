"""Decides whether a solid-state disk is in its steady state, by SNIA's rule.

Source: Solid State Storage Performance Test Specification (PTS), "Steady State". Over a window of five
rounds of one load
- no round is further from another than 20 % of their mean (range), and
- the line through them, by least squares, rises or falls by no more than 10 % of their mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, linear_regression

WINDOW = 5
STEADY_RANGE = 0.20
STEADY_SLOPE = 0.10


@dataclass(frozen=True)
class Steady:
    """The outcome of the steady-state rule: `range` and signed `slope` of the last window, as shares of its
    mean.
    """

    reached: bool
    rounds: int
    range: float
    slope: float


def steady_state(rounds: Sequence[float]) -> Steady:
    """Applies the steady-state rule to one value a round (IOPS, MiB/s), in order; at least five rounds are
    needed.
    """
    window = rounds[-WINDOW:]
    mean = fmean(window) if window else 0.0
    if len(window) < 2 or mean <= 0:
        return Steady(False, len(rounds), 0.0, 0.0)
    spread = (max(window) - min(window)) / mean
    slope = linear_regression(range(len(window)), window).slope * (len(window) - 1) / mean
    reached = len(window) == WINDOW and spread <= STEADY_RANGE and abs(slope) <= STEADY_SLOPE
    return Steady(reached, len(rounds), spread, slope)
