"""The humps of a distribution: the places where its values pile up."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

_VALLEY = 0.5
_LOWEST_SHARE = 0.05
_FEWEST = 30  # values in a bin: half as many are 2.7 standard deviations of their count away


def humps(counts: ArrayLike) -> list[int]:
    """Returns the bins where humps are highest, in ascending order, of the values counted in each bin.

    Between two humps the counts fall to half of the lower one or less. A hump has at least 30 values in its
    highest bin, and a twentieth of the highest hump's. If no bin has 30, the fullest bin is the only hump.
    """
    seen = np.asarray(counts, dtype=float)
    if not seen.any():
        return []
    # Neighbours are averaged: a single bin that is full or empty by chance divides no hump.
    smooth = np.convolve(np.pad(seen, 1), [0.25, 0.5, 0.25], mode="valid")
    least = max(_FEWEST, _LOWEST_SHARE * smooth.max())
    found: list[int] = []
    top, valley = None, 0.0
    for at, height in enumerate([*smooth.tolist(), 0.0]):
        if top is None:
            valley = min(valley, height)
            if height >= least and _VALLEY * height >= valley:
                top = at
        elif height > smooth[top]:
            top = at
        elif height <= _VALLEY * smooth[top]:
            found.append(top)
            top, valley = None, height
    return found or [int(smooth.argmax())]
