"""Percentiles over several runs: pooled counts, and an interval that respects who is a replicate."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import stats

from assay.stats.intervals import Interval, t_quantile
from assay.tally import Histogram, merge


def pooled_percentile(
    blocks: Sequence[Sequence[Histogram]],
    share: float,
    confidence: float = 0.95,
    *,
    draws: int = 2000,
    stretch: int = 5,
    seed: int = 0,
) -> Interval:
    """The percentile of all operations of all blocks, with a hierarchical bootstrap interval.

    `blocks` holds one list of per-interval histograms a block (a list of one is fine). Blocks are drawn with
    replacement, then within each a circle of stretches of `stretch` neighbouring intervals (circular block
    bootstrap, Politis & Romano 1992). Below two blocks there is no interval. Few blocks would
    make it too narrow; the expanded percentiles of Hesterberg (2015) mend most of that.
    """
    whole = merge([part for block in blocks for part in block])
    value = float(whole.percentiles([share])[0])
    if len(blocks) < 2:
        return Interval(value, None, None, len(blocks))
    random = np.random.default_rng(seed)
    sums = np.zeros((draws, whole.index.size))
    chosen = random.integers(0, len(blocks), size=(draws, len(blocks)))
    for number, block in enumerate(blocks):
        dense = np.zeros((len(block), whole.index.size))
        for row, part in enumerate(block):
            dense[row, np.searchsorted(whole.index, part.index)] = part.counts
        times = (chosen == number).sum(axis=1)
        for turn in range(int(times.max())):
            rows = np.flatnonzero(times > turn)
            sums[rows] += _circular_weights(random, rows.size, len(block), stretch) @ dense
    ranks = np.maximum(np.ceil(share * sums.sum(axis=1)), 1)
    at = (np.cumsum(sums, axis=1) < ranks[:, None]).sum(axis=1)
    values = whole.layout.highest(whole.index[np.minimum(at, whole.index.size - 1)])
    tail = expanded_tail(len(blocks), confidence)
    low, high = np.quantile(values, [tail, 1 - tail])
    return Interval(value, float(low), float(high), len(blocks))


def expanded_tail(n: int, confidence: float) -> float:
    """The share to cut off each end so that the width is that of a t interval with n - 1 degrees."""
    return float(stats.norm.cdf(-t_quantile((1 + confidence) / 2, n - 1) * (n / (n - 1)) ** 0.5))


def _circular_weights(
    random: np.random.Generator, draws: int, length: int, stretch: int
) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """How often each of `length` intervals is taken, in each of `draws` resamples."""
    stretch = min(stretch, length)
    starts = random.integers(0, length, size=(draws, -(-length // stretch)))
    taken = (starts[:, :, None] + np.arange(stretch)) % length
    taken = taken.reshape(draws, -1)[:, :length]
    cells = np.bincount((taken + length * np.arange(draws)[:, None]).ravel(), minlength=draws * length)
    return cells.reshape(draws, length).astype(np.float64)
