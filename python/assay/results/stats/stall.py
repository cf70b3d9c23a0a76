"""Finds a breakdown of throughput within the window."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.results.stats import special

#: Share of the median below which a second is one of a stall, and the fewest of them on end.
STALLED, FEWEST = 0.5, 2

#: What two seconds that share a stall lose together, as a share of one, each of them at least, and a second
#: beside them at most.
SHARED, LEAST, BESIDE = 0.45, 0.05, 0.15

#: How often noise alone may make such a run, in a window.
BY_CHANCE = 1e-3


@dataclass(frozen=True)
class Stall:
    """A stall: `seconds` in a row from `second` (0: the first), on average at `rate`, a share of the
    median.
    """

    second: int
    seconds: int
    rate: float


def stall(rates: ArrayLike) -> Stall | None:
    """Returns the longest run of seconds below half of the median, if it is more than noise; None without
    one.

    A single second's count varies by its square root (Poisson; half a count is allowed for rounding), or by
    as much as the other seconds vary. Where neighbours are correlated (r), a run of n seconds counts as n (1
    - r) / (1 + r) independent ones.
    """
    y = np.asarray(rates, dtype=np.float64)
    median = float(np.median(y)) if y.size else 0.0
    if median <= 0:
        return None
    begin, length = _longest(y < STALLED * median)
    if length < FEWEST:
        return None
    rate = float(y[begin : begin + length].mean())
    others = np.delete(y, slice(begin, begin + length)) - median
    spread = max(1.4826 * float(np.median(np.abs(others))), median**0.5)
    bounded = np.clip(others, -3 * spread, 3 * spread)
    power = float(bounded @ bounded)
    r = max(float(bounded[1:] @ bounded[:-1]) / power, 0.0) if power else 0.0
    chance = float(special.ndtr((rate + 0.5 - median) / spread)) ** max(length * (1 - r) / (1 + r), 1)
    return Stall(begin, length, rate / median) if y.size * chance < BY_CHANCE else None


def stalled_seconds(rates: ArrayLike) -> NDArray[np.bool_]:
    """Returns which seconds lie below half of the median by more than noise: those of the longest stall, any
    single one, and two that share a stall of half a second or more.

    A single second is as unlikely as `stall` asks of a stretch, by the spread of the seconds around their
    median.
    """
    y = np.asarray(rates, dtype=np.float64)
    median = float(np.median(y)) if y.size else 0.0
    if median <= 0:
        return np.zeros(y.size, dtype=np.bool_)
    spread = max(1.4826 * float(np.median(np.abs(y - median))), median**0.5)
    chance = np.array([float(special.ndtr(z)) for z in (y + 0.5 - median) / spread])
    found = (y < STALLED * median) & (y.size * chance < BY_CHANCE)
    found |= _shared(y, median, spread)
    if (longest := stall(y)) is not None:
        found[longest.second : longest.second + longest.seconds] = True
    return found


def _shared(y: NDArray[np.float64], median: float, spread: float) -> NDArray[np.bool_]:
    """Returns which seconds share a stall across their common end: two that together lose as much as half of
    a second, between seconds that lose nearly nothing.
    """
    found = np.zeros(y.size, dtype=np.bool_)
    if y.size < 2:
        return found
    lost = np.clip(1 - y / median, 0, 1)
    beside = np.concatenate([[0.0], lost, [0.0]])
    is_alone = (beside[:-3] < BESIDE) & (beside[3:] < BESIDE)
    is_shared = np.minimum(lost[:-1], lost[1:]) >= LEAST
    # Neighbours vary together at worst: the spread of their sum is then twice that of one.
    chance = np.array([float(special.ndtr(z)) for z in (y[:-1] + y[1:] + 1 - 2 * median) / (2 * spread)])
    at = np.flatnonzero(
        (lost[:-1] + lost[1:] >= SHARED) & is_alone & is_shared & (y.size * chance < BY_CHANCE)
    )
    found[at] = found[at + 1] = True
    return found


def _longest(inside: NDArray[np.bool_]) -> tuple[int, int]:
    """Returns start and length of the longest run of true values."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], inside, [False]]).astype(np.int8)))
    begins, ends = edges[::2], edges[1::2]
    if not begins.size:
        return 0, 0
    best = int((ends - begins).argmax())
    return int(begins[best]), int(ends[best] - begins[best])
