"""Splits a series into stretches, each with a level of its own."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike


def segments(values: ArrayLike, penalty: float) -> list[int]:
    """Returns where the stretches end, the last at the series' length, so that the total cost is least.

    The cost is the sum of squared distances from the stretches' means, and `penalty` for each stretch beyond
    the first: an exact optimum, with the pruning of PELT (Killick, Fearnhead, Eckley 2012). Empty without
    values.
    """
    y = np.asarray(values, dtype=np.float64)
    total = np.concatenate([[0.0], np.cumsum(y)])
    squares = np.concatenate([[0.0], np.cumsum(y * y)])
    least = np.full(y.size + 1, -penalty)  # of the values before each place
    before = np.zeros(y.size + 1, dtype=np.int64)  # where the last stretch before each place begins
    begins = np.array([0])
    for end in range(1, y.size + 1):
        left = squares[end] - squares[begins] - (total[end] - total[begins]) ** 2 / (end - begins)
        costs = least[begins] + left
        best = int(costs.argmin())
        least[end], before[end] = costs[best] + penalty, begins[best]
        begins = np.append(begins[costs <= least[end]], end)
    ends, place = [], y.size
    while place:
        ends.append(place)
        place = int(before[place])
    return ends[::-1]
