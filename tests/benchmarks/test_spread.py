from __future__ import annotations

from random import Random

import pytest

from benchmarks.rows import check
from benchmarks.spread import (
    Spread,
    State,
    at_least,
    at_most,
    clearly,
    hodges_lehmann,
    judge,
    not_below,
    ratios,
    spread,
    within,
)
from benchmarks.wording import checked, mark


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


def test_a_hodges_lehmann_ratio_is_the_median_over_two_pairs_each_and_the_same_in_both_directions() -> None:
    mine, theirs = [10.0, 20.0, 80.0], [10.0, 10.0, 10.0]  # logs 0, 1, 3 of base 2; means 0, .5, 1, 1.5, 2, 3
    found, turned = hodges_lehmann(mine, theirs), hodges_lehmann(theirs, mine)
    assert (found.median, found.low, found.high) == pytest.approx((2**1.25, 1.0, 8.0))
    assert (turned.median, turned.low, turned.high) == pytest.approx((2**-1.25, 1 / 8, 1.0))
    assert hodges_lehmann([3.0], [2.0]) == Spread(
        pytest.approx(1.5), pytest.approx(1.5), pytest.approx(1.5), 1
    )


@pytest.mark.parametrize("disturbed", [0.0, 0.1])
@pytest.mark.parametrize("pairs", [6, 40])
def test_the_interval_of_hodges_and_lehmann_holds_the_truth_in_95_of_100_cases(
    pairs: int, disturbed: float
) -> None:
    draw, truth, tries = Random(pairs), 0.995, 500
    held, widths = 0, [0.0, 0.0]
    for _ in range(tries):
        theirs = [draw.lognormvariate(11, 0.2) for _ in range(pairs)]
        noise = [0.3 if draw.random() < disturbed else 0.03 for _ in range(pairs)]
        mine = [value * truth * draw.lognormvariate(0, sd) for value, sd in zip(theirs, noise, strict=True)]
        both = hodges_lehmann(mine, theirs), ratios(mine, theirs)
        held += both[0].low <= truth <= both[0].high
        widths = [width + one.high - one.low for width, one in zip(widths, both, strict=True)]
    assert 0.93 < held / tries < 0.985
    assert pairs < 40 or widths[0] < 0.95 * widths[1]


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


@pytest.mark.parametrize(
    ("values", "state"),
    [
        ([0.98, 1.0, 1.01], State.REACHED),
        ([0.96, 1.0, 1.01], State.INCONCLUSIVE),
        ([0.9, 0.95, 0.98], State.INCONCLUSIVE),
        ([0.9, 0.95, 0.96], State.SHORT),
    ],
)
def test_an_interval_on_both_sides_of_a_limit_decides_nothing(values: list[float], state: State) -> None:
    assert judge(spread(values), clearly(at_least(0.97))) is state


def test_a_strict_target_knows_no_noise() -> None:
    assert judge(spread([3.0, 3.9, 5.0]), at_least(4.0)) is State.SHORT


@pytest.mark.parametrize(
    ("values", "state", "said"),
    [
        (
            [0.99, 0.995, 1.0, 1.0, 1.01],
            State.REACHED,
            "5 pairs), within 0.98 to 1.02: all of the interval lies inside",
        ),
        ([1.03, 1.04, 1.05, 1.06, 1.24], State.SHORT, "all of the interval lies outside"),
        ([0.84, 0.9, 0.95, 0.96, 0.97], State.SHORT, "0.950 x no viewer (0.840 to 0.970, 5 pairs)"),
        ([0.84, 0.99, 1.0, 1.01, 1.24], State.INCONCLUSIVE, "inconclusive, the interval is too wide to tell"),
        ([0.99, 1.0, 1.01, 1.01, 1.03], State.INCONCLUSIVE, "inconclusive, the interval is too wide to tell"),
        ([1.0, 1.0, 1.0, 1.0], State.INCONCLUSIVE, "inconclusive, fewer than 5 pairs"),
    ],
)
def test_a_ratio_is_inside_its_margin_outside_or_too_uncertain(
    values: list[float], state: State, said: str
) -> None:
    found = check("x no viewer", spread(values), within(0.02))
    assert found.state is state
    assert said in checked(found)
    assert mark(state) == {State.REACHED: "ok", State.SHORT: "SHORT"}.get(state, "?")
