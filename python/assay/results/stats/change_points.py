"""Finds where a series of values steps to another level, and by how much.

Hunter's algorithm (Fleming and others, 2023): the best splits of windows by the energy distance of E-divisive
(Matteson and James, 2014), each tested by a t-test; then, between neighbouring splits, those that are not
significant or too small are dropped. All on logarithms, so that steps are ratios.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.results.stats import special
from assay.results.stats.intervals import t_quantile

Floats = NDArray[np.float64]

MOST_P = 1e-4
"""The p-value of a change: the place was searched for, so that the usual 0.05 would find many in noise."""
LEAST_CHANGE = 0.02
"""The smallest change that counts, however quiet the series: compilers and memory layout change builds by as
much.
"""
_WINDOW = 50  # values; half of it between the beginnings of two windows
_WEAK = 10  # a split of a window is kept for the second look at so many times the p-value
_FEWEST = 2  # values on each side: one that is out is an outlier, not a level


@dataclass(frozen=True)
class ChangePoint:
    """A step in a series. `ratio` is the level after it / the level before it, with the t interval of the
    difference.
    """

    index: int  # of the first value on the new level
    ratio: float
    low: float
    high: float
    p_value: float

    @property
    def change(self) -> float:
        """The size of the step, equal in both directions: 0.02 for 1.02 and for 1 / 1.02."""
        return max(self.ratio, 1 / self.ratio if self.ratio else float("inf")) - 1


def change_points(
    values: ArrayLike, *, most_p: float = MOST_P, least: float = LEAST_CHANGE, confidence: float = 0.95
) -> tuple[ChangePoint, ...]:
    """Returns the steps in a series of positive values, in order.

    A change of less than `least` (a share: 0.02) is no step. Each step has two values or more on both sides,
    so that the newest build alone is never one. The intervals ignore that the steps were searched for, which
    makes a step look a little larger than it is. Raises `ValueError` where a value is not positive and
    finite.
    """
    x = np.asarray(values, dtype=np.float64)
    if not np.all(np.isfinite(x)) or np.any(x <= 0):
        raise ValueError("change points need positive values")
    logs = np.log(x)
    found = sorted(
        {index for start, end in _windows(logs.size) for index in _splits(logs, start, end, most_p)}
    )
    while found:
        steps = [_step(logs, *sides, confidence) for sides in _sides(found, logs.size)]
        least_sure = max(steps, key=lambda step: step.p_value)
        smallest = min(steps, key=lambda step: step.change)
        if least_sure.p_value > most_p:
            found.remove(least_sure.index)
        elif smallest.change < least:
            found.remove(smallest.index)
        else:
            return tuple(steps)
    return ()


def noise_between(logs: Sequence[ArrayLike], confidence: float = 0.95) -> float:
    """Returns the largest difference that noise makes between two values of one build, as a share: 0.02.
    `logs` holds the blocks of each value.

    It is the half-width of the interval of a difference of two means, from the variance within all values;
    each counts as having the median number of blocks. 0 where no value has two blocks.
    """
    parts = [np.asarray(one, dtype=np.float64) for one in logs]
    degrees = sum(one.size - 1 for one in parts if one.size)
    if degrees < 1:
        return 0.0
    squares = sum(float(((one - one.mean()) ** 2).sum()) for one in parts if one.size)
    error = (squares / degrees * 2 / float(np.median([one.size for one in parts if one.size]))) ** 0.5
    return float(np.expm1(t_quantile((1 + confidence) / 2, degrees) * error))


def _windows(count: int) -> Iterator[tuple[int, int]]:
    start = 0
    while start + _WINDOW < count:
        yield start, start + _WINDOW
        start += _WINDOW // 2
    yield start, count


def _splits(logs: Floats, start: int, end: int, most_p: float) -> Iterator[int]:
    """Yields the splits of logs[start:end], and of their parts, as long as they could be significant."""
    if end - start < 2 * _FEWEST:
        return
    index = start + _best_split(logs[start:end])
    if _p_value(logs[start:index], logs[index:end]) > _WEAK * most_p:
        return
    yield from _splits(logs, start, index, most_p)
    yield index
    yield from _splits(logs, index, end, most_p)


def _best_split(x: Floats) -> int:
    """Returns the split with the largest energy distance between its sides, weighted by their sizes."""
    sums = np.abs(x[:, None] - x[None, :]).cumsum(axis=0).cumsum(axis=1)
    n = x.size
    split = np.arange(_FEWEST, n - _FEWEST + 1)
    left, rows, whole = sums[split - 1, split - 1], sums[split - 1, -1], sums[-1, -1]
    across, right, rest = rows - left, whole - 2 * rows + left, n - split
    between = 2 * across / (split * rest)
    within = left / (split * (split - 1)) + right / (rest * (rest - 1))
    return int(split[np.argmax((between - within) * split * rest / n)])


def _sides(found: list[int], count: int) -> Iterator[tuple[int, int, int]]:
    """Yields each split with the start and the end of its two segments."""
    yield from zip([0, *found[:-1]], found, [*found[1:], count], strict=True)


def _step(logs: Floats, start: int, index: int, end: int, confidence: float) -> ChangePoint:
    before, after = logs[start:index], logs[index:end]
    difference, error, degrees = _difference(before, after)
    half = t_quantile((1 + confidence) / 2, degrees) * error if degrees else np.inf
    with np.errstate(over="ignore"):  # a level may be beyond all others: its ratio is then infinite
        low, ratio, high = np.exp((difference - half, difference, difference + half))
    return ChangePoint(index, float(ratio), float(low), float(high), _p_value(before, after))


def _p_value(before: Floats, after: Floats) -> float:
    """Returns the p-value of Student's t-test with one variance; 1 where a segment is too short for a
    level.
    """
    if min(before.size, after.size) < _FEWEST:
        return 1.0
    difference, error, degrees = _difference(before, after)
    if error == 0:
        return 1.0 if difference == 0 else 0.0
    return float(2 * special.stdtr(degrees, -abs(difference) / error))


def _difference(before: Floats, after: Floats) -> tuple[float, float, int]:
    """Returns after - before, its standard error from the variance within both, and the degrees of
    freedom.
    """
    degrees = before.size + after.size - 2
    squares = float(((before - before.mean()) ** 2).sum() + ((after - after.mean()) ** 2).sum())
    error = (squares / degrees * (1 / before.size + 1 / after.size)) ** 0.5 if degrees else 0.0
    return float(after.mean() - before.mean()), error, degrees
