"""Tests whether a server's state, such as its dirty pages or undo log, still grows over a window.

Throughput may look steady and yet depend on a state that is not.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from assay.results.stats.steady import FEWEST_SECONDS, steadiness

#: By how much of its mean a level must have risen over the window.
RISEN = 0.5

#: Share of a pool from which on it is full.
FULL = 0.98


def grows(levels: ArrayLike, least: float) -> bool:
    """Returns whether a level, read once a second, rises through the window by half of its mean and by at
    least `least`.

    The test is that of throughput: no cycle, and a larger change than correlated neighbours make by chance.
    """
    y = np.asarray(levels, dtype=np.float64)
    change = _change(y)
    return change > RISEN and change * float(y.mean()) >= least


def fills(held: ArrayLike, room: float, read: ArrayLike) -> bool:
    """Returns whether a pool is still filling: the pages it holds rise below its room, and reads per second
    fall.
    """
    pages = np.asarray(held, dtype=np.float64)
    if not pages.size or room <= 0 or pages[-1] >= FULL * room:
        return False
    return _change(pages) > 0 > _change(np.asarray(read, dtype=np.float64))


def _change(y: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> float:
    """Returns the change from start to end as a share of the mean; 0 where there is no trend."""
    if y.size < FEWEST_SECONDS or not np.isfinite(y).all():
        return 0.0
    found = steadiness(y)
    return found.change if found.label in ("drifting", "not reached") else 0.0
