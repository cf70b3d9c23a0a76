"""A stretch at a fraction of the rate is seen, and noise is not taken for one."""

from __future__ import annotations

import numpy as np
import pytest
from assay.results.stats import stall, stalled_seconds
from assay.testing.windows import like_neighbours, with_stall


@pytest.mark.parametrize(("alike", "sd"), [(0.0, 0.03), (0.0, 0.1), (0.5, 0.1), (0.98, 0.05)])
def test_ten_seconds_at_a_fifth_in_a_minute_are_seen_wherever_they_are(alike: float, sd: float) -> None:
    random = np.random.default_rng(1)
    for second in [*range(51)] * 4:
        found = stall(with_stall(1000 * (1 + like_neighbours(random, 60, alike, sd)), second))
        assert found is not None
        assert abs(found.second - second) <= 1
        assert found.seconds in (9, 10, 11)
        assert found.rate == pytest.approx(0.2, abs=0.1)


@pytest.mark.parametrize("seconds", [20, 60, 300])
@pytest.mark.parametrize(("alike", "sd"), [(0.0, 0.1), (0.0, 0.25), (0.8, 0.2), (0.98, 0.25)])
def test_noise_is_no_stall(seconds: int, alike: float, sd: float) -> None:
    random = np.random.default_rng(2)
    levels = (np.clip(1 + like_neighbours(random, seconds, alike, sd), 0, None) for _ in range(300))
    assert sum(stall(1000 * level) is not None for level in levels) <= 3


@pytest.mark.parametrize("per_s", [1, 2, 5, 10, 30])
def test_few_operations_a_second_vary_by_chance(per_s: int) -> None:
    random = np.random.default_rng(3)
    assert sum(stall(random.poisson(per_s, 300)) is not None for _ in range(500)) <= 5


def test_thirty_a_second_are_enough_to_see_one() -> None:
    random = np.random.default_rng(4)
    seen = sum(stall(random.poisson(with_stall(np.full(60, 30.0), 20))) is not None for _ in range(300))
    assert seen >= 297


@pytest.mark.parametrize("rates", [[], [0.0], [5.0], [0.0] * 60, [1000.0] * 60, [1000.0, 0.0, 1000.0]])
def test_where_there_is_nothing_to_see_there_is_none(rates: list[float]) -> None:
    assert stall(rates) is None


@pytest.mark.parametrize("lasting_s", [0.6, 0.8, 1.0, 1.7, 3.0])
def test_a_stall_is_seen_wherever_in_a_second_it_begins(lasting_s: float) -> None:
    random = np.random.default_rng(5)
    for begin in np.linspace(5, 6, 41):
        lost = np.clip(
            np.minimum(np.arange(1, 61), begin + lasting_s) - np.maximum(np.arange(60), begin), 0, 1
        )
        found = stalled_seconds(1000 * (1 - lost) * (1 + 0.02 * random.standard_normal(60)))
        assert found.any()
        assert not found[lost == 0].any()


@pytest.mark.parametrize(("alike", "sd"), [(0.0, 0.05), (0.0, 0.2), (0.8, 0.1)])
def test_noise_makes_no_stalled_seconds(alike: float, sd: float) -> None:
    random = np.random.default_rng(6)
    levels = (np.clip(1 + like_neighbours(random, 60, alike, sd), 0, None) for _ in range(300))
    assert sum(stalled_seconds(1000 * level).any() for level in levels) <= 6


def test_a_slower_stretch_is_no_shared_stall() -> None:
    rates = np.full(60, 1000.0)
    rates[20:26] = 720.0
    assert not stalled_seconds(rates).any()
