"""Edges of the pure functions: few values, zeros, wrong shapes, by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from assay.results.stats.intervals import geometric_interval, mean_interval
from assay.results.stats.paired import paired_ratio, sign_flip_p
from assay.results.stats.planning import more_blocks
from assay.results.stats.region import around, position
from assay.results.stats.steady import steadiness


def test_interval_by_hand() -> None:
    found = mean_interval([1.0, 2.0, 3.0])
    assert found.value == 2
    assert found.high == pytest.approx(2 + 4.302653 / math.sqrt(3), rel=1e-6)


def test_one_value_has_an_estimate_and_no_interval() -> None:
    assert mean_interval([4.0]).low is None
    found = paired_ratio([2.0], [3.0])
    assert (found.ratio, found.low, found.p_value, found.n) == (pytest.approx(1.5), None, None, 1)


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        mean_interval([])
    with pytest.raises(ValueError, match="positive"):
        geometric_interval([1.0, 0.0])
    with pytest.raises(ValueError, match="positive"):
        paired_ratio([1.0], [-1.0])
    with pytest.raises(ValueError, match="same blocks"):
        paired_ratio([1.0, 2.0], [1.0])


def test_comparison_the_other_way_round_is_its_inverse() -> None:
    a, b = np.array([100.0, 110, 95]), np.array([120.0, 126, 119])
    there, back = paired_ratio(a, b), paired_ratio(b, a)
    assert there.ratio * back.ratio == pytest.approx(1)
    assert there.low * back.high == pytest.approx(1)
    assert there.p_value == back.p_value == 0.25


def test_equal_sums_count_as_equal_in_spite_of_rounding() -> None:
    assert sign_flip_p([0.1, 0.1, 0.1]) == 0.25
    assert sign_flip_p([0.0, 0.0]) == 1.0


@pytest.mark.parametrize(
    ("low", "high", "where"),
    [
        (1.03, 1.1, "above"),
        (0.9, 0.97, "below"),
        (0.99, 1.01, "inside"),
        (1.01, 1.05, "astride"),
        (0.9, 1.1, "astride"),
        (1 / 1.02, 1.02, "inside"),
        (0.98, 1.02, "astride"),
    ],
)
def test_place(low: float, high: float, where: str) -> None:
    assert position(low, high, around(1.0, 0.02)) == where


def test_without_noise_the_fewest_blocks_are_enough() -> None:
    assert more_blocks(0.4, 0.0, 3, fewest=6) == 3


def test_noisier_needs_more() -> None:
    needed = [more_blocks(0.03, sd, 6) for sd in (0.02, 0.04, 0.08)]
    assert needed == sorted(needed)
    assert needed[0] < needed[-1]


def test_a_server_that_did_nothing_is_not_steady() -> None:
    assert steadiness(np.zeros(60)).label == "too-short"
