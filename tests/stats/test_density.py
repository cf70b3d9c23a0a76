"""Where values lie densely."""

from __future__ import annotations

import numpy as np
import pytest
from assay.results.stats import density


def test_the_density_of_a_normal_distribution_is_its_bell() -> None:
    values = np.random.default_rng(3).normal(50.0, 4.0, 20_000)
    at = np.array([42.0, 46.0, 50.0, 54.0, 58.0])
    bell = np.exp(-0.5 * ((at - 50.0) / 4.0) ** 2)
    assert density(values, at) == pytest.approx(bell, abs=0.05)


def test_two_states_have_two_peaks() -> None:
    random = np.random.default_rng(4)
    values = np.concatenate([random.normal(10.0, 1.0, 300), random.normal(30.0, 1.0, 300)])
    low, between, high = density(values, [10.0, 20.0, 30.0])
    assert between < 0.5 * min(low, high)


def test_equal_values_are_all_equally_dense() -> None:
    assert density([7.0] * 5, [7.0, 7.0]).tolist() == [1.0, 1.0]
    with pytest.raises(ValueError, match="at least one value"):
        density([], [1.0])
