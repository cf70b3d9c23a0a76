"""Fits courses to a series with autoregressive (AR(1)) noise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

#: Correlations of neighbours that are tried: 0 to 0.996, closer together the nearer they are to 1.
ALIKE = 1 - np.geomspace(1, 0.004, 18)

#: Variance below which a difference is none, of a series with a mean of 1: noise of 0.1 %.
LEAST_VARIANCE = 1e-6


@dataclass(frozen=True)
class Course:
    """A fitted course: its value at each second, and the logarithm of its likelihood, up to a constant."""

    values: Floats
    likelihood: float


def course(y: Floats, columns: Floats) -> Course:
    """Fits a sum of `columns` (n × k) to `y` (n values about 1) by maximum likelihood, with AR(1) noise.

    The noise of a second is r times that of the second before, plus an independent part. The most likely r is
    found together with the coefficients, so that correlated neighbours (r up to 0.996) are not taken for a
    course.
    """
    whitened, design = _whitened(y[:, None])[:, :, 0], _whitened(columns)
    across = design.transpose(0, 2, 1)
    coefficients = np.linalg.solve(across @ design, across @ whitened[:, :, None])
    left = ((whitened - (design @ coefficients)[:, :, 0]) ** 2).mean(axis=1)
    likelihood = -y.size / 2 * np.log(left + LEAST_VARIANCE) + np.log(1 - ALIKE**2) / 2
    best = int(likelihood.argmax())
    return Course(columns @ coefficients[best, :, 0], float(likelihood[best]))


def _whitened(columns: Floats) -> Floats:
    """Returns, for each r, the columns less r times themselves a second before (r × n × k)."""
    r = ALIKE[:, None, None]
    found = np.empty((ALIKE.size, *columns.shape))
    found[:, 1:] = columns[1:] - r * columns[:-1]
    found[:, :1] = np.sqrt(1 - r**2) * columns[:1]
    return found


def likely_periods(y: Floats, shortest: float, longest: float, harmonics: int) -> list[float]:
    """Returns periods, in values of `y`, whose power, harmonics included, most exceeds that of AR(1) noise
    for some r.
    """
    padded = 4 * y.size
    waves = np.arange(int(np.ceil(padded / longest)), int(padded / shortest) + 1)
    found = set()
    for r in ALIKE[::3]:
        new = y - y.mean()
        new[1:] -= r * new[:-1].copy()
        power = np.zeros(harmonics * padded)
        spectrum = np.abs(np.fft.rfft(new, padded)) ** 2
        power[: spectrum.size] = spectrum
        if waves.size:
            together = np.sum([power[k * waves] for k in range(1, harmonics + 1)], axis=0)
            found.add(padded / int(waves[int(together.argmax())]))
    return sorted(found)
