"""Judges whether throughput was steady over the measured window."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from assay.results.stats.autoregressive import Course, Floats, course, likely_periods
from assay.results.stats.segments import segments
from assay.results.stats.stall import stall

#: Seconds below which a course says nothing.
FEWEST_SECONDS = 10

#: Longer windows are judged by means of several seconds: as many as leave so many values.
MOST_VALUES = 600

#: Stretches of levels of their own beyond which a window has none worth naming.
MOST_STRETCHES = 20

#: How fast a settling series may have settled, in parts of the window; slower is as good as a line.
SETTLED_IN = (1 / 40, 1 / 12, 1 / 6, 1 / 3, 2 / 3)

#: A cycle has at least two turns in the window, of so many seconds at least, and so many harmonics.
FEWEST_TURNS, SHORTEST_TURN, HARMONICS = 2, 8.0, 3

#: By how much a course must be likelier than a level (log-likelihood): levels reach it in 1 to 2 %. In a
#: short window it is less sure how alike neighbours are: SHORT over its seconds is added for a line.
LINE, SHORT, CYCLE = 5.5, 35.0, 14.0

#: By how much an approach to a level must be likelier than a line to be told from it.
BENT = 2.5

Label = Literal["steady", "drifting", "cycling", "not reached", "too-short"]


@dataclass(frozen=True)
class Steadiness:
    """A verdict on a window's steadiness. `change`: from start to end; `swing`: from the lowest to the
    highest of a cycle.

    Both describe the fitted course, as shares of the window's mean; `period` is in seconds. They are 0 where
    the course has none, nan where the window is too short. `from_start` is the change as a share of where the
    course starts, as it is told to people: nothing falls by more than all of it.
    """

    label: Label
    change: float = 0.0
    swing: float = 0.0
    period: float = 0.0
    from_start: float = 0.0


@dataclass(frozen=True)
class _Found:
    label: Label
    course: Course
    dearer: float  # what its likelihood must exceed that of a level by
    period: float = 0.0

    @property
    def score(self) -> float:
        return self.course.likelihood - self.dearer


def steadiness(rates: ArrayLike, tolerance: float = 0.05) -> Steadiness:
    """Judges whether a series of per-second rates is steady.

    The series is compared with possible courses: a level; a line, or stretches with levels of their own
    (drifting); an exponential approach to a level (not reached); a cycle. Each is fitted with noise whose
    neighbouring seconds are correlated (AR(1)), and must be likelier than a level by more than chance
    explains. Small changes are ignored: a window that ends within half of `tolerance` of its mean is steady,
    and a cycle must swing by twice `tolerance`. Seconds of a stall are left out.
    """
    y = _without_stall(np.asarray(rates, dtype=np.float64))
    if y.size < FEWEST_SECONDS or y.mean() <= 0:
        return Steadiness("too-short", float("nan"), float("nan"), float("nan"))
    y, every = _at_most(y / y.mean(), MOST_VALUES)
    level = course(y, np.ones((y.size, 1)))
    best = max((*_named(y), _Found("steady", level, 0.0)), key=lambda found: found.score)
    if best.label == "steady":
        best = max((*_stretches(y), best), key=lambda found: found.score)
    values = best.course.values
    if best.label == "cycling":
        swing = float(np.ptp(values))
        if swing <= 2 * tolerance:
            return Steadiness("steady")
        return Steadiness("cycling", 0.0, swing, best.period * every)
    change = float(values[-1] - values[0])
    away = abs(float(values[-1] - values.mean()))
    label = best.label if away > tolerance / 2 else "steady"
    return Steadiness(label, change, from_start=_from_start(float(values[0]), float(values[-1])))


def _from_start(first: float, last: float) -> float:
    """Returns a change of a fitted course as a share of its start. A course fitted to noise may start or end
    below zero, where no rate can be: it is taken to begin at a hundredth of the mean, or to end at nothing.
    """
    return max(last, 0.0) / max(first, 0.01) - 1


def _named(y: Floats) -> Iterator[_Found]:
    n = y.size
    line = LINE + SHORT / n
    level, t = np.ones(n), (np.arange(n) + 0.5) / n
    yield _Found("drifting", course(y, np.stack([level, t - 0.5], axis=1)), line)
    for part in SETTLED_IN:
        yield _Found("not reached", course(y, np.stack([level, np.exp(-t / part)], axis=1)), line + BENT)
    for period in likely_periods(y, SHORTEST_TURN, n / FEWEST_TURNS, HARMONICS):
        turns = [2 * np.pi * k * np.arange(n) / period for k in range(1, HARMONICS + 1)]
        waves = [wave(angle) for angle in turns for wave in (np.cos, np.sin)]
        yield _Found("cycling", course(y, np.stack([level, *waves], axis=1)), CYCLE, period)


def _stretches(y: Floats) -> Iterator[_Found]:
    """Yields fits of consecutive levels, for series that no other course explains."""
    n = y.size
    # Noise as neighbours differ by: too little where they are alike, so each stretch is priced again.
    noise = (1.4826 * float(np.median(np.abs(np.diff(y))))) ** 2 / 2
    ends = segments(y, 3 * np.log(n) * noise)
    if 1 < len(ends) <= min(n // 6, MOST_STRETCHES):
        begins = np.array([0, *ends[:-1]])
        inside = (np.arange(n)[:, None] >= begins) & (np.arange(n)[:, None] < np.array(ends))
        price = 2 * np.log(n) * (len(ends) - 1) + SHORT / n
        yield _Found("drifting", course(y, inside.astype(np.float64)), price)


def _at_most(y: Floats, values: int) -> tuple[Floats, int]:
    """Returns means over equal numbers of seconds, at most `values` of them, and that number of seconds."""
    every = -(-y.size // values)
    return y[: y.size // every * every].reshape(-1, every).mean(axis=1), every


def _without_stall(y: Floats) -> Floats:
    found = stall(y)
    return y if found is None else np.delete(y, slice(found.second, found.second + found.seconds))
