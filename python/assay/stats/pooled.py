"""Percentiles over several runs: pooled counts, and an interval that respects who is a replicate."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assay.stats.histogram import Histogram, merge
from assay.stats.intervals import Interval


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
    bootstrap, Politis & Romano 1992). Below two blocks there is no interval. With few blocks it is too
    narrow: the tests state by how much.
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
    low, high = np.quantile(values, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Interval(value, float(low), float(high), len(blocks))


def _circular_weights(
    random: np.random.Generator, draws: int, length: int, stretch: int
) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """How often each of `length` intervals is taken, in each of `draws` resamples."""
    stretch = min(stretch, length)
    starts = random.integers(0, length, size=(draws, -(-length // stretch)))
    taken = (starts[:, :, None] + np.arange(stretch)) % length
    taken = taken.reshape(draws, -1)[:, :length]
    weights = np.zeros((draws, length))
    np.add.at(weights, (np.arange(draws)[:, None], taken), 1.0)
    return weights
