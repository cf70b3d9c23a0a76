"""Effects of a screen's factors by least squares, pairs by contrasts, Lenth's margin, Holm's p."""

from __future__ import annotations

import numpy as np
import pytest
from assay.results.stats import (
    Screen,
    coded,
    family_wise,
    leaks,
    lenth,
    pair_actions,
    zero_p,
)
from scipy import stats

# Half a fraction of three factors at two levels: the third is the product of the others.
FRACTION = np.array([[-1, -1, 1], [1, -1, -1], [-1, 1, -1], [1, 1, 1]], dtype=float)
FOLDED = np.vstack([FRACTION, -FRACTION])


def screen(signs: np.ndarray) -> Screen:
    columns = ((1 + signs.T) / 2).astype(int)
    return Screen(tuple(coded(column.tolist(), 2, (0, 1)) for column in columns))


def test_of_a_balanced_design_a_level_is_the_mean_of_its_treatments() -> None:
    for weights, column in zip(screen(FOLDED).weights, FOLDED.T, strict=True):
        assert weights[0] == pytest.approx(np.where(column < 0, 0.25, 0))
        assert weights[1] == pytest.approx(np.where(column > 0, 0.25, 0))


def test_an_effect_has_the_noise_of_its_design() -> None:
    """Four runs against four: the root of 1/4 + 1/4."""
    assert screen(FOLDED).spread() == pytest.approx(0.5**0.5)
    assert screen(FRACTION).spread() == pytest.approx(1.0)


def test_factors_that_overlap_are_told_apart_by_least_squares() -> None:
    rows = np.array([[0, 0], [1, 0], [2, 1], [3, 2], [1, 2], [2, 0], [0, 1]])
    design = Screen((coded(rows[:, 0].tolist(), 4, range(4)), coded(rows[:, 1].tolist(), 3)))
    values = 5 + 0.1 * rows[:, 0] + np.array([0.0, 0.7, -0.4])[rows[:, 1]]
    first, second = (weights @ values for weights in design.weights)
    assert np.diff(first) == pytest.approx([0.1, 0.1, 0.1])
    assert second - second[0] == pytest.approx([0.0, 0.7, -0.4])


def test_levels_of_a_scale_lie_in_their_order() -> None:
    """The study lists 4, 1, 2: along the scale they are the third, the first, the second."""
    rows = [0, 1, 2, 0, 1, 2]
    design = Screen((coded(rows, 3, (1, 2, 0)), coded([0, 0, 0, 1, 1, 1], 2, (0, 1))))
    values = np.array([0.2, 0.0, 0.1])[rows]
    (levels, _) = (weights @ values for weights in design.weights)
    assert levels - levels[1] == pytest.approx([0.2, 0.0, 0.1])


def test_factors_that_move_together_are_refused() -> None:
    with pytest.raises(ValueError, match="together"):
        _ = Screen((coded([0, 1, 0, 1], 2), coded([0, 1, 0, 1], 2))).weights


def test_folding_over_clears_effects_of_pairs() -> None:
    assert leaks(FRACTION) == 1
    assert leaks(FOLDED) == 0


def test_a_pair_is_the_ratio_of_two_ratios() -> None:
    logs = np.log(np.where((FOLDED[:, 0] > 0) & (FOLDED[:, 1] > 0), 1.5, 1.0))  # only both together
    found = {one.pair: one for one in pair_actions(FOLDED, logs[np.newaxis])}
    assert float(np.exp(found[0, 1].logs[0])) == pytest.approx(1.5)
    assert float(found[0, 2].logs[0]) == pytest.approx(0)


def test_pairs_that_cannot_be_told_apart_are_named() -> None:
    """Four factors in eight rows: each pair is the mirror of the pair of the others."""
    full = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)], dtype=float)
    design = np.column_stack([full, full.prod(axis=1)])
    found = pair_actions(design, np.zeros((1, 8)))
    assert {one.pair: one.aliased for one in found}[0, 1] == ((2, 3),)
    assert all(one.mixed == 0 for one in found)
    assert all(one.aliased == () for one in pair_actions(full, np.zeros((1, 8))))


def test_lenths_margins_are_those_of_his_paper() -> None:
    """Fifteen effects: t of 5 degrees, 2.571 for one alone and 5.219 for all together."""
    sizes = np.array([-0.9, 0.3, 0.2, -0.1, 0.4, 0.15, -0.25, 0.05, 5.0, 7.0, -0.2, 0.3, 0.1, -0.35, 0.12])
    rough = 1.5 * np.median(np.abs(sizes))
    error = 1.5 * np.median([abs(x) for x in sizes if abs(x) < 2.5 * rough])
    found = lenth(sizes)
    assert found.alone == pytest.approx(2.571 * error, rel=1e-3)
    assert found.together == pytest.approx(5.219 * error, rel=1e-3)
    with pytest.raises(ValueError, match="three"):
        lenth([1.0, 2.0])


def test_holms_p_values() -> None:
    assert family_wise([0.01, 0.04, 0.03, 0.005]) == pytest.approx((0.03, 0.06, 0.06, 0.02))
    assert family_wise([0.9, 0.8]) == (1.0, 1.0)
    assert family_wise([]) == ()


def test_the_p_of_zero_is_that_of_a_t_test() -> None:
    values = [0.1, 0.3, -0.05, 0.2]
    assert zero_p(values) == pytest.approx(stats.ttest_1samp(values, 0).pvalue)
    assert zero_p([1.0]) is None
    assert zero_p([2.0, 2.0]) == 0.0
    assert zero_p([0.0, 0.0]) == 1.0
