"""Computes what a number of blocks can detect of a true difference, given the noise of a single run."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from assay.results.stats import special
from assay.results.stats.intervals import t_quantile

Floats = NDArray[np.float64]

#: How often a difference of the detectable size is found.
POWER = 0.8

LARGEST_LOG = 700.0  # beyond it a ratio is no number


def detectable(
    noise: float, blocks: int, confidence: float, margin: float = 0.0, loads: int | None = None
) -> float | None:
    """Returns the smallest ratio that is found above 1 + `margin` with probability 0.8: 1.041 means 4.1 %
    more.

    `noise` is the standard deviation of the logarithm of one run; a log-ratio of two has 1.41 times that.
    With `margin` 0 only the direction must be found. By the noncentral t distribution of the mean of `blocks`
    log-ratios, or of one mean for each of `loads` of the data, which are supposed to be alike. None below two
    blocks.
    """
    count, noise = _units(noise, blocks, loads)
    if count < 2:
        return None
    return detectable_at(math.sqrt(2) * noise, count, confidence) * (1 + margin)


def _units(noise: float, blocks: int, loads: int | None) -> tuple[int, float]:
    """Returns how many values an interval rests on, blocks or means of blocks with one load, and the noise of
    one.
    """
    count = min(blocks, loads or blocks)
    return count, noise * math.sqrt(count / max(blocks, 1))


def detectable_at(log_sd: float, blocks: int, confidence: float) -> float:
    """Returns the smallest ratio whose direction is found with probability 0.8, given the spread of
    log-ratios.

    `blocks` is at least two. Infinite where no ratio is found.
    """
    shift = shift_found(blocks, confidence) * log_sd / math.sqrt(blocks)
    return math.exp(shift) if shift < LARGEST_LOG else math.inf


@lru_cache(maxsize=4096)
def shift_found(blocks: int, confidence: float) -> float:
    """Returns how many standard errors a mean must lie off zero to be found with probability 0.8."""
    edge = t_quantile((1 + confidence) / 2, blocks - 1)

    def surplus(shift: float) -> float:
        return 1 - special.nctdtr(blocks - 1, shift, edge) - POWER

    return special.crossing(surplus, 0.0, 10 * edge + 10)


def spread_of(half_width: float, blocks: int, confidence: float) -> float:
    """Returns the standard deviation of single values whose mean has an interval of this half width."""
    return half_width * math.sqrt(blocks) / t_quantile((1 + confidence) / 2, blocks - 1)


def blocks_to_reach(ratio: float, log_sd: float, confidence: float, most: int) -> int | None:
    """Returns the fewest blocks that find the direction of this ratio with probability 0.8, given the spread
    of log-ratios; None beyond `most`.
    """
    reached = (n for n in range(2, most + 1) if detectable_at(log_sd, n, confidence) <= ratio)
    return next(reached, None)


def blocks_to_find(
    ratio: float, noise: float, confidence: float, margin: float, most: int, loads: int | None = None
) -> int | None:
    """Returns the fewest blocks, with at most so many `loads` of the data, that find this ratio above
    1 + `margin` with probability 0.8; None beyond `most`.
    """
    for blocks in range(2, most + 1):
        least = detectable(noise, blocks, confidence, margin, loads)
        if least is not None and least <= ratio:
            return blocks
    return None


def chance_of_same(
    noise: float, blocks: int, confidence: float, margin: float, loads: int | None = None
) -> float:
    """Returns the probability that two equal treatments are called the same: the whole interval lies within
    the margin.

    It is the mean over the distribution of the observed standard deviation, at 2,000 of its quantiles.
    `loads` is as in `detectable`.
    """
    blocks, noise = _units(noise, blocks, loads)
    if blocks < 2:
        return 0.0
    spread = math.sqrt(2) * noise / math.sqrt(blocks)
    seen = spread * _relative_spreads(blocks)
    room = math.log1p(margin) - t_quantile((1 + confidence) / 2, blocks - 1) * seen
    inside = 2 * special.ndtr(np.maximum(room, 0) / spread) - 1
    return float(inside.mean())


@lru_cache(maxsize=256)
def _relative_spreads(blocks: int) -> Floats:
    """Returns 2,000 quantiles of the observed standard deviation over the true one."""
    shares = (np.arange(2000) + 0.5) / 2000
    return np.sqrt(2 * special.gammaincinv((blocks - 1) / 2, shares) / (blocks - 1))
