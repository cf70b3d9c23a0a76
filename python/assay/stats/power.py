"""What so many blocks can show of a true difference, where the noise of a single run is known or supposed."""

from __future__ import annotations

import math

import numpy as np
from scipy import optimize, stats

from assay.stats.intervals import t_quantile

#: How often a difference of the detectable size is found.
POWER = 0.8


def detectable(noise: float, blocks: int, confidence: float, margin: float = 0.0) -> float | None:
    """The smallest ratio that is found above 1 + `margin` with probability 0.8: 1.041 is 4.1 % more.

    `noise` is the standard deviation of the logarithm of one run; a log-ratio of two has 1.41 times that.
    With `margin` 0 it is the direction alone. By the noncentral t distribution of the mean of `blocks`
    log-ratios. None below two blocks.
    """
    if blocks < 2:
        return None
    spread = math.sqrt(2) * noise / math.sqrt(blocks)
    edge = t_quantile((1 + confidence) / 2, blocks - 1)

    def missed(shift: float) -> float:
        return POWER - float(stats.nct.sf(edge, blocks - 1, shift))

    shift = float(optimize.brentq(missed, 0.0, 10 * edge + 10))
    return math.exp(shift * spread) * (1 + margin)


def blocks_to_find(ratio: float, noise: float, confidence: float, margin: float, most: int) -> int | None:
    """The fewest blocks that find this ratio above 1 + `margin` with probability 0.8; None beyond `most`."""
    for blocks in range(2, most + 1):
        least = detectable(noise, blocks, confidence, margin)
        if least is not None and least <= ratio:
            return blocks
    return None


def chance_of_same(noise: float, blocks: int, confidence: float, margin: float) -> float:
    """How often two that are alike are called the same: the whole interval within the margin.

    The mean over the distribution of the standard deviation that is seen, at 2,000 of its quantiles.
    """
    if blocks < 2:
        return 0.0
    spread = math.sqrt(2) * noise / math.sqrt(blocks)
    shares = (np.arange(2000) + 0.5) / 2000
    seen = spread * np.sqrt(stats.chi2.ppf(shares, blocks - 1) / (blocks - 1))
    room = math.log1p(margin) - t_quantile((1 + confidence) / 2, blocks - 1) * seen
    inside = 2 * stats.norm.cdf(np.maximum(room, 0) / spread) - 1
    return float(inside.mean())
