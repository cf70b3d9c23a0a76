"""Makes windows with a known truth: per-second rates with a planted course and noise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Label = Literal["steady", "drifting", "cycling", "not reached"]

WINDOWS = (20, 60, 120, 300, 600)
NOISES = ((0.0, 0.03), (0.5, 0.03))


@dataclass(frozen=True)
class Planted:
    """A planted window. `course`: the rate at each second without noise, as a share; `alike`, `sd`:
    correlation and standard deviation of the noise.

    The noise is a share of the rate, AR(1): neighbouring seconds correlate by `alike`.
    """

    name: str
    label: Label
    course: Floats
    alike: float
    sd: float

    def rates(self, random: Generator, per_s: float = 1000.0) -> Floats:
        """Returns operations per second with noise, never below zero."""
        noise = 1 + like_neighbours(random, self.course.size, self.alike, self.sd)
        return np.clip(per_s * self.course * noise, 0, None)


def like_neighbours(random: Generator, seconds: int, alike: float, sd: float) -> Floats:
    """Returns AR(1) noise about zero, with a standard deviation of `sd` whatever `alike` is."""
    noise = random.normal(0, sd * (1 - alike**2) ** 0.5, seconds)
    noise[0] = random.normal(0, sd)
    for second in range(1, seconds):
        noise[second] += alike * noise[second - 1]
    return noise


def planted(random: Generator) -> Iterator[Planted]:
    """Yields one window of each kind: levels, lines, approaches to a level, saw teeth, at lengths of 20 s to
    10 minutes.

    Windows that nobody could classify are left out: a line of 20 % in 20 s, teeth that come fewer than 2.5
    times, and approaches slower than half of the window and faster than three of it, neither lines nor bent.
    """
    for seconds in WINDOWS:
        t = np.arange(seconds) + 0.5
        for alike in (0.0, 0.5, 0.8, 0.95, 0.98):
            for sd in (0.03, 0.1):
                yield Planted("level", "steady", np.ones(seconds), alike, sd)
        for alike, sd in NOISES:
            changes = (-0.4, 0.4) if seconds < 60 else (-0.4, -0.2, 0.2, 0.4)
            for change in changes:
                yield Planted("line", "drifting", 1 + change * (t / seconds - 0.5), alike, sd)
            for part in (1 / 60, 0.1, 0.2, 0.35, 0.5, 3.0):
                if part > 1 and seconds < 60:
                    continue
                label: Label = "steady" if part < 0.05 else "not reached" if part < 1 else "drifting"
                name = {"steady": "settled early", "not reached": "settling"}.get(label, "settling slowly")
                yield Planted(name, label, 1 - 0.5 * np.exp(-t / seconds / part), alike, sd)
            for period in (20, 40, 60, 90, 120):
                for swing in (0.2, 0.4):
                    if seconds >= 2.5 * period:
                        teeth = (t + random.uniform(0, period)) / period % 1
                        yield Planted("saw teeth", "cycling", 1 + swing * (teeth - 0.5), alike, sd)


def with_stall(rates: Floats, second: int, seconds: int = 10, rate: float = 0.2) -> Floats:
    """Returns the window with a stretch at a share of its rate."""
    stalled = rates.copy()
    stalled[second : second + seconds] *= rate
    return stalled
