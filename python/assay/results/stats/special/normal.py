"""The normal distribution."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import overload

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_ROOT_2 = math.sqrt(2)
_STANDARD = NormalDist()
_ERFC = np.frompyfunc(math.erfc, 1, 1)


@overload
def ndtr(z: float) -> float: ...
@overload
def ndtr(z: Floats) -> Floats: ...
def ndtr(z: float | Floats) -> float | Floats:
    """Returns the probability of a value up to `z`, also far in the tails to the last digits."""
    if isinstance(z, np.ndarray):
        return 0.5 * np.asarray(_ERFC(z / -_ROOT_2), dtype=np.float64)
    return 0.5 * math.erfc(float(z) / -_ROOT_2)


def ndtri(probability: float) -> float:
    """Returns the quantile: infinite at 0 and 1, nan outside (Wichura 1988, algorithm AS 241)."""
    if 0 < probability < 1:
        return _STANDARD.inv_cdf(probability)
    if probability in (0, 1):
        return math.inf if probability else -math.inf
    return math.nan
