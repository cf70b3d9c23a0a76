"""Copies in blocks: the spread of one run, what a place in the block does, drift; by simulation."""

from __future__ import annotations

import numpy as np
import pytest
from assay.results.stats import bound_of_equals, drift, row_effect, spread


def _studies(seed: int, studies: int, *, copies: int = 4, blocks: int = 6, noise: float = 0.02) -> np.ndarray:
    """Logs of throughput: blocks that differ by 10 %, runs by `noise`."""
    random = np.random.default_rng(seed)
    between = random.normal(8, 0.1, (studies, 1, blocks))
    return between + random.normal(0, noise, (studies, copies, blocks))


@pytest.mark.long
def test_the_interval_of_the_spread_holds_the_truth_in_95_percent_of_studies() -> None:
    found = [spread(one) for one in _studies(1, 2000)]
    assert all(one.degrees == 15 for one in found)
    assert 0.935 < np.mean([one.low <= 0.02 <= one.high for one in found]) < 0.965
    assert np.sqrt(np.mean([one.log_sd**2 for one in found])) == pytest.approx(0.02, rel=0.02)


def test_what_a_block_does_to_all_its_runs_is_no_noise() -> None:
    logs = _studies(2, 1)[0]
    moved = logs + np.array([0.0, 1.0, -1.0, 2.0, 0.5, 3.0])
    assert spread(moved).log_sd == pytest.approx(spread(logs).log_sd)


def test_places_in_a_block_are_told_apart_as_often_as_chance_has_it_where_nothing_differs() -> None:
    assert np.mean([row_effect(one).p_value < 0.05 for one in _studies(3, 2000)]) == pytest.approx(
        0.05, abs=0.015
    )


def test_a_first_run_that_is_slow_is_found() -> None:
    logs = _studies(4, 200)
    logs[:, 0, :] -= 0.06
    effects = [row_effect(one) for one in logs]
    assert np.mean([one.p_value < 0.05 for one in effects]) > 0.95
    assert np.mean([one.logs[0] for one in effects]) == pytest.approx(-0.045, abs=0.003)


def test_drift_over_blocks_is_found_where_it_is_and_seldom_where_it_is_not() -> None:
    random = np.random.default_rng(5)
    level = random.normal(0, 0.02, (2000, 4, 6))
    found = [drift(one) for one in level]
    assert np.mean([one is not None and one[1] < 0.05 for one in found]) == pytest.approx(0.05, abs=0.015)
    rising = [drift(one + 0.02 * np.arange(6)) for one in level[:200]]
    assert np.mean([one is not None and one[1] < 0.05 for one in rising]) > 0.95
    assert np.mean([one[0] for one in rising if one]) == pytest.approx(0.02, abs=0.001)


def test_equals_are_seen_as_far_apart_as_the_bound_in_5_percent_of_studies() -> None:
    bound = bound_of_equals(0.02, 100_000, 6)
    means = np.random.default_rng(6).normal(0, 0.02 * 2**0.5, (20_000, 6)).mean(axis=1)
    assert np.mean(np.abs(means) > np.log1p(bound)) == pytest.approx(0.05, abs=0.006)
    assert bound_of_equals(0.02, 15, 6) > bound


def test_figures_without_any_spread_are_no_division_by_zero() -> None:
    flat = np.full((4, 6), np.log(1234.5))
    assert spread(flat).log_sd == 0
    assert row_effect(flat).p_value == 1
    assert drift(flat) == (0.0, 1.0)
    assert row_effect(flat + np.arange(4)[:, None]).p_value == 0


@pytest.mark.parametrize("shape", [(1, 6), (4, 1), (0, 0)])
def test_one_copy_or_one_block_has_no_spread(shape: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="at least two"):
        spread(np.zeros(shape))


def test_two_blocks_have_no_drift() -> None:
    assert drift(np.zeros((4, 2))) is None
