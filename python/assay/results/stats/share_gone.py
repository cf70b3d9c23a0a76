"""Computes the share of a difference that an intervention takes away, with its interval, from paired
blocks.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from assay.results.stats.intervals import mean_interval, t_quantile
from assay.results.stats.planning import more_blocks


@dataclass(frozen=True)
class ShareGone:
    """The share of a difference that is gone: 1 is all of it, 0 none of it, below 0 it has grown.

    `low` and `high` are None where the difference itself is not certain, so that no share of it is known
    within limits. `difference` is the mean without the intervention, with the ends of its interval; `sd` is
    the spread of the share over single blocks.
    """

    share: float
    low: float | None
    high: float | None
    difference: float
    difference_low: float | None
    difference_high: float | None
    sd: float | None
    n: int


def share_gone(without: ArrayLike, with_it: ArrayLike, confidence: float = 0.95) -> ShareGone:
    """Returns 1 - mean(with_it) / mean(without), where element i of both is the difference in one block.

    The interval is Fieller's (1954): every share s for which the mean of (without - with_it) - s without
    cannot be told from 0 by Student's t. It needs no resampling, and holds exactly where the differences are
    normal, however they are correlated within a block. Where the interval of the difference includes 0,
    the set is unbounded, and there is none. Raises ValueError on unequal lengths, or without blocks.
    """
    d, e = np.asarray(without, dtype=np.float64), np.asarray(with_it, dtype=np.float64)
    if d.shape != e.shape or not d.size:
        raise ValueError("a share needs the same blocks with and without the intervention")
    found, n = mean_interval(d, confidence), d.size
    mean = found.value
    share = float((mean - e.mean()) / mean) if mean else math.nan
    unknown = ShareGone(share, None, None, mean, found.low, found.high, None, n)
    if found.low is None or found.high is None or found.low <= 0 <= found.high:
        return unknown
    gone = d - e
    scale = t_quantile((1 + confidence) / 2, n - 1) ** 2 / n
    variances = np.cov(gone, d, ddof=1)
    a = mean * mean - scale * float(variances[1, 1])
    b = mean * float(gone.mean()) - scale * float(variances[0, 1])
    c = float(gone.mean()) ** 2 - scale * float(variances[0, 0])
    root = math.sqrt(max(b * b - a * c, 0.0))
    spread = float((gone - share * d).std(ddof=1)) / abs(mean)
    return ShareGone(share, (b - root) / a, (b + root) / a, mean, found.low, found.high, spread, n)


def more_blocks_for_share(found: ShareGone, distance: float, confidence: float = 0.95) -> int | None:
    """Returns how many more blocks would probably make the interval of the share as narrow as a distance on
    either side; where the difference itself is uncertain, how many would show that. None where more blocks
    would hardly do it.
    """
    if found.n < 2 or found.difference_low is None or found.difference_high is None:
        return None
    if found.low is None or found.sd is None:
        half = (found.difference_high - found.difference_low) / 2
        sd = half * math.sqrt(found.n) / t_quantile((1 + confidence) / 2, found.n - 1)
        return more_blocks(found.difference, sd, found.n, confidence)
    return more_blocks(distance, found.sd, found.n, confidence)
