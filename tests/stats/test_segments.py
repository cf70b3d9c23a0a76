"""Stretches with levels of their own, against every way to cut a series."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from assay.results.stats.segments import segments


def left(values: np.ndarray, ends: tuple[int, ...], penalty: float) -> float:
    parts = np.split(values, ends[:-1])
    return sum(float(((part - part.mean()) ** 2).sum()) for part in parts) + penalty * (len(ends) - 1)


def best_of_all(values: np.ndarray, penalty: float) -> float:
    """What the best of all ways leaves, each of them tried."""
    n = values.size
    ways = ((*inner, n) for count in range(n) for inner in combinations(range(1, n), count))
    return min(left(values, ends, penalty) for ends in ways)


@pytest.mark.parametrize("penalty", [0.1, 1.0, 5.0])
def test_no_way_to_cut_is_better(penalty: float) -> None:
    random = np.random.default_rng(3)
    for _ in range(12):
        steps = np.repeat(random.normal(0, 2, 3), 4)[: random.integers(1, 12)]
        values = steps + random.normal(0, 0.5, steps.size)
        found = tuple(segments(values, penalty))
        assert left(values, found, penalty) == pytest.approx(best_of_all(values, penalty))


def test_steps_are_found_where_they_are() -> None:
    random = np.random.default_rng(4)
    values = np.repeat([1.0, 1.3, 0.9], [40, 100, 60]) + random.normal(0, 0.03, 200)
    assert segments(values, 3 * np.log(200) * 0.03**2) == [40, 140, 200]


@pytest.mark.parametrize(("values", "ends"), [([], []), ([5.0], [1]), ([2.0] * 8, [8])])
def test_little_and_level_series_have_one_stretch(values: list[float], ends: list[int]) -> None:
    assert segments(values, 1.0) == ends
