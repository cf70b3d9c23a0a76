"""Change points on series whose steps are known, and on the small and odd ones."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from assay.results.stats import change_points
from assay.results.stats.change_points import _best_split
from examples import given, st


def series(*levels: tuple[int, float], sd: float = 0.005, seed: int = 3) -> np.ndarray:
    random = np.random.default_rng(seed)
    return np.concatenate([level * np.exp(random.normal(0, sd, count)) for count, level in levels])


def test_steps_are_found_with_their_sizes() -> None:
    down, up = change_points(series((20, 100.0), (15, 90.0), (30, 95.0)))
    assert (down.index, up.index) == (20, 35)
    assert down.low < 0.90 < down.high
    assert up.low < 95 / 90 < up.high
    assert down.change == pytest.approx(1 / down.ratio - 1)


def test_a_long_series_is_searched_in_windows_and_each_step_is_reported_once() -> None:
    levels = [(47, 100.0), (53, 94.0), (60, 100.0), (41, 107.0)]
    found = change_points(series(*levels))
    assert [point.index for point in found] == [47, 100, 160]


def test_a_step_below_the_least_change_is_none() -> None:
    values = series((30, 100.0), (30, 97.0), sd=0.002)
    assert len(change_points(values)) == 1
    assert change_points(values, least=0.05) == ()


def test_the_newest_build_alone_is_no_level_but_two_are() -> None:
    assert change_points(series((30, 100.0), (1, 80.0))) == ()
    (found,) = change_points(series((30, 100.0), (2, 80.0)))
    assert found.index == 30


def test_one_outlier_is_no_change() -> None:
    assert change_points(series((20, 100.0), (1, 70.0), (20, 100.0))) == ()


@pytest.mark.parametrize("values", [[], [1.0], [1.0, 2.0], [1.0, 1.0, 2.0], [5.0] * 60])
def test_what_has_no_steps_or_is_too_short_gives_none(values: list[float]) -> None:
    assert change_points(values) == ()


def test_a_step_without_any_noise_is_a_change() -> None:
    (found,) = change_points([1.0] * 5 + [2.0] * 5)
    assert (found.index, found.ratio, found.p_value) == (5, pytest.approx(2.0), pytest.approx(0.0))


@pytest.mark.parametrize("bad", [0.0, -1.0, float("nan"), float("inf")])
def test_values_that_have_no_logarithm_are_refused(bad: float) -> None:
    with pytest.raises(ValueError, match="positive"):
        change_points([1.0, bad, 1.0])


def test_the_best_split_is_that_of_the_energy_distance_by_its_definition() -> None:
    random = np.random.default_rng(7)
    for count in (4, 5, 12, 31):
        x = random.normal(0, 1, count)
        assert _best_split(x) == max(range(2, count - 1), key=lambda split: energy(x[:split], x[split:]))


def energy(left: np.ndarray, right: np.ndarray) -> float:
    m, n = len(left), len(right)
    across = sum(abs(a - b) for a in left for b in right)
    within = [
        sum(abs(a - b) for i, a in enumerate(part) for b in part[:i]) / (len(part) * (len(part) - 1) / 2)
        for part in (left, right)
    ]
    return (2 * across / (m * n) - sum(within)) * m * n / (m + n)


@given(st.lists(st.floats(1e-300, 1e300), max_size=70))
def test_every_series_has_an_answer_in_order(values: list[float]) -> None:
    found = change_points(values)
    indices = [point.index for point in found]
    assert all(one < other for one, other in pairwise([1, *indices, len(values) - 1]) if indices)
    assert all(point.change >= 0.02 and point.p_value <= 1e-4 for point in found)
