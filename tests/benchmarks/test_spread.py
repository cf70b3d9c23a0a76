from __future__ import annotations

from random import Random

import pytest

from benchmarks.spread import Spread, State, at_least, at_most, judge, not_below, ratios, spread


def test_a_ratio_is_the_median_of_the_pairs_ratios_not_the_ratio_of_medians() -> None:
    # The machine halves its speed for the second pair: both suffer, the ratio does not.
    found = ratios([10.0, 20.0, 33.0], [20.0, 40.0, 55.0])
    assert found == Spread(median=0.5, low=0.5, high=0.6, count=3)


def test_pairs_belong_together() -> None:
    with pytest.raises(ValueError, match="longer"):
        ratios([1.0], [1.0, 2.0])
    with pytest.raises(ValueError, match="with 0"):
        ratios([1.0], [0.0])


@pytest.mark.parametrize("count", [5, 8, 9, 15, 30])
def test_the_interval_holds_the_true_median_in_93_of_100_cases(count: int) -> None:
    draw = Random(count)
    tries = [spread([draw.random() for _ in range(count)]) for _ in range(4000)]
    held = sum(one.low <= 0.5 <= one.high for one in tries) / len(tries)
    assert 0.92 < held < 0.999
    assert all(one.low <= one.median <= one.high for one in tries)


def test_of_many_values_the_interval_is_not_their_range() -> None:
    found = spread([float(value) for value in range(15)])
    assert (found.low, found.median, found.high) == (3.0, 7.0, 11.0)


@pytest.mark.parametrize(
    ("values", "state"),
    [
        ([0.5, 0.55, 0.9], State.REACHED),
        ([0.5, 0.56, 0.9], State.SHORT),
    ],
)
def test_the_median_decides(values: list[float], state: State) -> None:
    assert judge(spread(values), at_most(0.55)) is state


@pytest.mark.parametrize(
    ("values", "state"),
    [
        ([0.9, 1.0, 1.1], State.REACHED),
        ([0.9, 0.98, 1.01], State.WITHIN_NOISE),
        ([0.9, 0.95, 0.99], State.SHORT),
    ],
)
def test_a_lenient_target_is_missed_only_when_every_pair_misses_it(values: list[float], state: State) -> None:
    assert judge(spread(values), not_below(1.0)) is state


def test_a_strict_target_knows_no_noise() -> None:
    assert judge(spread([3.0, 3.9, 5.0]), at_least(4.0)) is State.SHORT
