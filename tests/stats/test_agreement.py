"""Ratios of what was measured apart, and rank correlations, against figures worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from assay.results.stats import rank_agreement, unpaired_ratio
from examples import given, st

POSITIVE = st.floats(1e-150, 1e150)


def test_ranks_of_four_points() -> None:
    found = rank_agreement([1, 2, 3, 4], [10, 30, 20, 40])  # sum of d² = 2; 5 of 6 pairs in order
    assert found is not None
    assert found.points == 4
    assert found.spearman == pytest.approx(1 - 6 * 2 / (4 * 15))
    assert found.kendall == pytest.approx((5 - 1) / 6)
    opposite = rank_agreement([1, 2, 3], [5, 4, 3])
    assert opposite is not None
    assert (opposite.spearman, opposite.kendall) == (pytest.approx(-1), pytest.approx(-1))


@pytest.mark.parametrize(
    ("left", "right"), [([], []), ([1, 2], [1, 2]), ([1, 1, 1], [1, 2, 3]), ([1, 2, 3], [4, 4, 4])]
)
def test_two_points_and_level_sides_say_nothing(left: list[float], right: list[float]) -> None:
    assert rank_agreement(left, right) is None


def test_ratio_of_two_sides_of_equal_spread() -> None:
    left, right = np.exp([1.0, 1.2]), np.exp([0.0, 0.2])  # variances 0.02, so 2 degrees and an error of √0.02
    found = unpaired_ratio(left, right)
    half = 4.302652729749464 * math.sqrt(0.02)  # t of 2 degrees at 97.5 %
    assert found.value == pytest.approx(math.e)
    assert (found.low, found.high) == (pytest.approx(math.exp(1 - half)), pytest.approx(math.exp(1 + half)))


def test_a_printed_figure_counts_as_exact() -> None:
    found = unpaired_ratio(np.exp([1.0, 1.2]), [1.0])
    half = 12.706204736174694 * 0.1  # t of 1 degree at 97.5 %; the error of the mean is √(0.02 / 2)
    assert (found.low, found.high) == (
        pytest.approx(math.exp(1.1 - half)),
        pytest.approx(math.exp(1.1 + half)),
    )
    assert unpaired_ratio([6.0], [3.0]).value == pytest.approx(2)
    assert unpaired_ratio([6.0], [3.0]).low is None
    level = unpaired_ratio([2.0, 2.0, 2.0], [1.0])
    assert (level.value, level.low, level.high) == (pytest.approx(2),) * 3


@given(st.lists(POSITIVE, min_size=1, max_size=5), st.lists(POSITIVE, min_size=1, max_size=5))
def test_an_interval_holds_its_ratio_and_turns_over_with_its_sides(
    left: list[float], right: list[float]
) -> None:
    found, turned = unpaired_ratio(left, right), unpaired_ratio(right, left)
    assert (found.low is None) == (len(left) == len(right) == 1)
    assert math.log(found.value) == pytest.approx(-math.log(turned.value), abs=1e-9)
    if found.low is not None and found.high is not None:
        assert found.low <= found.value <= found.high


@pytest.mark.parametrize(("left", "right"), [([], [1.0]), ([1.0], []), ([0.0], [1.0]), ([1.0], [-1.0])])
def test_what_has_no_ratio_is_an_error(left: list[float], right: list[float]) -> None:
    with pytest.raises(ValueError, match="ratio"):
        unpaired_ratio(left, right)


def test_sides_of_different_lengths_are_an_error() -> None:
    with pytest.raises(ValueError, match="pairs"):
        rank_agreement([1, 2, 3], [1, 2])
