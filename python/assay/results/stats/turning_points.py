"""Finds where along a ladder throughput turns, and which level is best, as confidence sets.

Each set holds the answers that a test of level 1 − confidence does not reject (inversion of tests, Neyman
1937). Rungs of one server start differ by far less than starts do, so tests use differences of logarithms
within a block, with Student's t over blocks. Arrays have blocks × rungs (or levels) as their last axes, and
any leading shape: there is an answer for each. All functions raise `ValueError` below two blocks.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.results.stats.intervals import t_quantile

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


def not_beaten(values: ArrayLike, confidence: float = 0.95) -> Flags:
    """Returns which entries of the last axis may be the largest: those that no other surely exceeds.

    The largest is compared with each of the others at 1 / others of the level (Bonferroni).
    """
    x = _blocks(values)
    others = max(x.shape[-1] - 1, 1)
    low, _ = _apart(x, 1 - (1 - confidence) / others)
    return np.asarray(~(low > 0).any(axis=-2))


def knee_rungs(logs: ArrayLike, share: float, confidence: float = 0.95) -> Flags:
    """Returns which rungs may be the first with at least `share` of the best rung's throughput.

    Excluded are a rung that is surely below this share of some other, and rungs after one that is surely not
    below the share of any. Raises `ValueError` for a share outside 0 to 1.
    """
    x = _blocks(logs)
    if not 0 < share < 1:
        raise ValueError(f"a share lies between 0 and 1, not {share:g}")
    rungs, each, edge = x.shape[-1], (1 - confidence) / 2, np.log(share)
    _, high = _apart(x, 1 - each / max(rungs - 1, 1))
    may_be = ~(high < edge).any(axis=-1)
    for rung in range(1, rungs):
        low, _ = _apart(x, 1 - each / rung)
        reaches = ((low >= edge) | np.eye(rungs, dtype=bool))[..., :rung, :].all(axis=-1)
        may_be[..., rung] &= ~reaches.any(axis=-1)
    return np.asarray(may_be)


def collapse_rungs(logs: ArrayLike, share: float, confidence: float = 0.95) -> Flags:
    """Returns which rungs may be the first after the last with at least `share` of the best rung's
    throughput.

    There is one flag more than rungs: the last is for "beyond the ladder". The first is never set.
    """
    seen = knee_rungs(np.asarray(logs, dtype=np.float64)[..., ::-1], share, confidence)[..., ::-1]
    return np.concatenate((np.zeros_like(seen[..., :1]), seen), axis=-1)


def crossover_rungs(log_ratios: ArrayLike, confidence: float = 0.95) -> Flags:
    """Returns which rungs may be the first at which the second of two is ahead, if the first never leads
    again.

    `log_ratios` are log(first / second). There is one flag more than rungs: the first is for "the second is
    ahead everywhere", the last for "nowhere". None is set where the lead alternates, or goes from the second
    to the first.
    """
    x = _blocks(log_ratios)
    blocks, rungs = x.shape[-2:]
    mean, error = x.mean(axis=-2), x.std(axis=-2, ddof=1) / blocks**0.5
    may_be = []
    for rung in range(rungs + 1):
        before, after = (
            t_quantile(1 - (1 - confidence) / 2 / max(count, 1), blocks - 1) * error
            for count in (rung, rungs - rung)
        )
        behind = (mean + before < 0)[..., :rung].any(axis=-1)
        ahead = (mean - after > 0)[..., rung:].any(axis=-1)
        may_be.append(~(behind | ahead))
    return np.stack(may_be, axis=-1)


def _apart(x: Floats, probability: float) -> tuple[Floats, Floats]:
    """Returns one-sided limits, each with this probability, of the mean of x[…, i] − x[…, j] at […, i, j]."""
    apart = x[..., :, :, None] - x[..., :, None, :]
    half = t_quantile(probability, x.shape[-2] - 1) * apart.std(axis=-3, ddof=1) / x.shape[-2] ** 0.5
    mean = apart.mean(axis=-3)
    return mean - half, mean + half


def _blocks(values: ArrayLike) -> Floats:
    x = np.asarray(values, dtype=np.float64)
    if x.ndim < 2 or x.shape[-2] < 2:
        raise ValueError("a set needs at least two blocks, with a value of every rung in each")
    return x
