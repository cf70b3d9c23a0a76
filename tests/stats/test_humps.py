"""Humps are found where there are some, and not in the noise of one."""

from __future__ import annotations

import numpy as np
import pytest
from assay.results.stats import humps


def _counts(random: np.random.Generator, *parts: tuple[float, int]) -> list[int]:
    values = np.concatenate([random.normal(middle, 6.0, size) for middle, size in parts])
    return np.histogram(values, bins=np.arange(0, 161))[0].tolist()


@pytest.mark.parametrize("size", [1_000, 10_000, 100_000])
def test_one_hump_stays_one(size: int) -> None:
    random = np.random.default_rng(5)
    found = [humps(_counts(random, (80, size))) for _ in range(200)]
    assert sum(len(one) == 1 for one in found) >= 199
    assert all(abs(one[0] - 80) <= 6 for one in found)


def test_two_humps_are_found_in_their_order() -> None:
    random = np.random.default_rng(6)
    for _ in range(100):
        first, second = humps(_counts(random, (40, 9_000), (100, 1_500)))
        assert abs(first - 40) <= 5
        assert abs(second - 100) <= 5


def test_a_small_heap_is_no_hump() -> None:
    random = np.random.default_rng(7)
    assert all(len(humps(_counts(random, (40, 90_000), (100, 900)))) == 1 for _ in range(100))


def test_of_few_values_the_fullest_bin_is_the_hump() -> None:
    assert humps([0, 1, 3, 1, 0, 0, 1]) == [2]
    assert humps([0, 0]) == []
    assert humps([5]) == [0]
