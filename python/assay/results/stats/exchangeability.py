"""Tests whether blocks may stand for each other, which every interval over blocks takes for granted."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.results.stats import special

FEWEST_FOR_ORDER, FEWEST_FOR_LAG = 6, 10
SURE = 0.005
"""The p at which a trend, or a negative correlation of neighbours, is believed."""
_SURE_ALIKE = 0.03  # of a positive correlation: it makes intervals too narrow, and few blocks show it
_SCALE = 1.4826  # of a median absolute deviation of normal values, to their standard deviation
_ROUNDING = 1e-4  # a spread below a hundredth of a per cent is nobody's concern


@dataclass(frozen=True)
class Course:
    """What the order of blocks shows: `change` is that of the line through the values from the first block to
    the last, `lag` the correlation of neighbours (None below ten blocks).
    """

    change: float
    trend_p: float
    lag: float | None
    lag_p: float  # one-sided, in the direction of `lag`

    def is_seen(self, among: int = 1) -> bool:
        """Returns whether the values depend on their order: a trend, or neighbours that are alike or
        opposite; `among` so many series that are looked at together (Bonferroni).
        """
        level = 0.0 if self.lag is None else _SURE_ALIKE if self.lag > 0 else SURE
        return self.trend_p * among <= SURE or self.lag_p * among <= level


def course_of(values: ArrayLike) -> Course | None:
    """Returns the course of values (logarithms) in the order of their blocks; None below six blocks, or
    without any spread.

    The trend is tested with Student's t on the slope; the lag-1 correlation, with its bias of -1/n taken out,
    as normal with the variance of Moran (1948).
    """
    x = np.asarray(values, dtype=np.float64)
    n = x.size
    if n < FEWEST_FOR_ORDER or x.std() < _ROUNDING:
        return None
    away, at = x - x.mean(), np.arange(n) - (n - 1) / 2
    slope = float(at @ away / (at @ at))
    rest = float(np.sum((away - slope * at) ** 2))
    t = abs(slope) * math.sqrt(float(at @ at) * (n - 2) / rest) if rest > 0 else math.inf
    trend_p = float(2 * special.stdtr(n - 2, -t))
    if n < FEWEST_FOR_LAG:
        return Course(slope * (n - 1), trend_p, None, 1.0)
    lag = float(away[1:] @ away[:-1] / (away @ away)) + 1 / n
    z = abs(lag) * n * math.sqrt(n - 1) / (n - 2)
    return Course(slope * (n - 1), trend_p, lag, float(special.ndtr(-z)))


def far_from_others(values: ArrayLike, among: int = 1) -> tuple[int, ...]:
    """Returns the places of values further from the median than noise is: ten scaled median absolute
    deviations among six values, 9.9 among fifty (`_far_at`); none below six values. `among` so many series
    that are looked at together.
    """
    x = np.asarray(values, dtype=np.float64)
    if x.size < FEWEST_FOR_ORDER:
        return ()
    away = np.abs(x - np.median(x))
    scale = max(_SCALE * float(np.median(away)), _ROUNDING)
    return tuple(np.flatnonzero(away > _far_at(x.size, among) * scale).tolist())


def _far_at(n: int, among: int) -> float:
    # At most 2 % of normal samples, and 10 % of those of Student's t with three degrees, have a value so far.
    # The first term is the growth of the largest of n such values, whose tail falls with the third power; the
    # second, that the deviation of few values is uncertain itself.
    return float((2.5 * np.cbrt(n) + 33 / n) * np.cbrt(among))


def two_kinds(values: ArrayLike) -> tuple[int, int] | None:
    """Returns the sizes of the lower and the upper group where values lie in two groups of two or more, with
    a gap that single noise does not leave; None where they do not.
    """
    x = np.sort(np.asarray(values, dtype=np.float64))
    n = x.size
    if n < FEWEST_FOR_ORDER:
        return None
    gaps: NDArray[np.float64] = np.diff(x)[1:-1]
    below = int(np.argmax(gaps)) + 2
    groups = x[:below], x[below:]
    within = math.sqrt(sum(float(np.sum((one - one.mean()) ** 2)) for one in groups) / (n - 2))
    apart = float(gaps.max()) / max(within, _ROUNDING)
    return (below, n - below) if apart > _apart_at(n) else None


def _apart_at(n: int) -> float:
    # In standard deviations within the groups: at most 0.5 % of samples, normal or of Student's t with three
    # degrees, have such a gap.
    return 2.5 + 33 / n


def wariness(values: ArrayLike) -> float:
    """Returns the factor by which an interval over blocks is widened where verdicts end the blocks: 1.0
    without any spread.

    Few blocks cannot show that neighbours are alike, or that a rare kind of start is missing. The correlation
    of neighbours is therefore taken 1.7 standard errors higher than it is seen, up to 0.9, and the spread of
    the mean is that of an autoregressive course; skewness g widens it by 2 |g| / sqrt(n) in addition. The two
    constants keep wrong words of `assay run --until-decided` below 5 % where the ratio has a correlation of
    up to 0.8, or is exponential or lognormal (`tests/method/test_wary_looks.py`).
    """
    x = np.asarray(values, dtype=np.float64)
    n = x.size
    away = x - x.mean() if n else x
    squares = float(away @ away)
    if n < 3 or squares == 0:
        return 1.0
    lag = float(away[1:] @ away[:-1]) / squares + 1 / n
    alike = min(max(lag + 1.7 / math.sqrt(n), 0.0), 0.9)
    skewness = abs(float(np.mean(away**3))) / (squares / n) ** 1.5
    return float(math.sqrt((1 + alike) / (1 - alike)) * (1 + 2 * skewness / math.sqrt(n)))
