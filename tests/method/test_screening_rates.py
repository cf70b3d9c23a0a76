"""Screens: effects of factors hold as often as stated, and what pairs do together stays out of them."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from assay.design.study.screens import latin_hypercube, plackett_burman
from assay.results.stats import (
    Screen,
    around,
    coded,
    false_discovery,
    lenth,
    mean_interval,
    pair_actions,
    position,
    zero_p,
)
from assay.results.stats.paired import PairedRatio
from assay.results.stats.screening import PairAction
from assay.results.verdict import word_of
from numpy.typing import NDArray

Floats = NDArray[np.float64]
FACTORS, BLOCKS, STUDIES = 10, 6, 1000
REGION = around(1.0, 0.02)


@cache
def signs(fold_over: bool = True) -> Floats:
    return np.array(plackett_burman(FACTORS, fold_over=fold_over), dtype=float)


@cache
def effect_weights(fold_over: bool = True) -> Floats:
    """Factors x treatments: what takes the logarithms of a block to the logarithm of the ratio of levels."""
    columns = ((1 + signs(fold_over).T) / 2).astype(int)
    screen = Screen(tuple(coded(column.tolist(), 2, (0, 1)) for column in columns))
    return np.array([of[1] - of[0] for of in screen.weights])


def runs(
    seed: int,
    noise: float,
    effects: Floats,
    pairs: dict[tuple[int, int], float] | None = None,
    *,
    blocks: int = BLOCKS,
    fold_over: bool = True,
    heavy: bool = False,
) -> Floats:
    """Logarithms of single runs, blocks x treatments. `effects` and `pairs` are logarithms of ratios."""
    random = np.random.default_rng(seed)
    design = signs(fold_over)
    truth = design @ effects / 2
    for (one, other), ratio in (pairs or {}).items():
        truth = truth + design[:, one] * design[:, other] * ratio / 4
    shape = (blocks, len(design))
    luck = random.standard_t(3, shape) / 3**0.5 if heavy else random.normal(size=shape)
    return truth + noise * luck + random.normal(0, 0.05, (blocks, 1))


def found(logs: Floats, fold_over: bool = True) -> list[PairedRatio]:
    """The effect of every factor, as the report has it."""
    each = logs @ effect_weights(fold_over).T
    return [_ratio(of) for of in each.T]


def _ratio(logs: Floats) -> PairedRatio:
    mean = mean_interval(logs)
    assert mean.low is not None
    assert mean.high is not None
    low, high = float(np.exp(mean.low)), float(np.exp(mean.high))
    return PairedRatio(float(np.exp(mean.value)), low, high, None, float(logs.std(ddof=1)), mean.n)


@pytest.mark.parametrize("heavy", [False, True], ids=["lognormal", "t3"])
def test_intervals_of_effects_hold_the_truth(heavy: bool) -> None:
    truth = np.array([0.3, -0.1, 0.05, 0.02, 0, 0, 0, 0, 0, 0])
    pairs = {(0, 1): 0.1, (2, 5): -0.08}
    hits = [
        np.log(one.low or 0) <= true <= np.log(one.high or 0)
        for seed in range(STUDIES // 2)
        for one, true in zip(found(runs(seed, 0.02, truth, pairs, heavy=heavy)), truth, strict=True)
    ]
    assert 0.93 <= np.mean(hits) <= (0.97 if not heavy else 0.975)


def test_where_nothing_does_anything_little_is_called() -> None:
    words, together = [], 0
    for seed in range(STUDIES):
        effects = found(runs(10_000 + seed, 0.05, np.zeros(FACTORS)))
        words += [word_of(one, REGION, 6, higher=True) for one in effects]
        together += any(word_of(one, REGION, 6, higher=True) in ("better", "worse") for one in effects)
    assert np.mean([word in ("better", "worse") for word in words]) <= 0.01
    assert np.mean([word in ("more", "less", "better", "worse") for word in words]) <= 0.065
    assert together / STUDIES <= 0.05


@pytest.mark.parametrize(("blocks", "least"), [(6, 0.99)])
def test_an_effect_of_5_percent_under_noise_of_2_percent_is_called(blocks: int, least: float) -> None:
    truth = np.zeros(FACTORS)
    truth[3] = np.log(1.05)
    words = [
        word_of(found(runs(20_000 + seed, 0.02, truth, blocks=blocks))[3], REGION, 6, higher=True)
        for seed in range(300)
    ]
    assert np.mean([word == "better" for word in words]) >= least


def test_what_two_factors_do_together_leaks_only_where_nothing_is_folded_over() -> None:
    """An interaction of 10 % moves other effects by a sixth of it in the plain design, by nothing folded."""
    pairs = {(0, 1): np.log(1.1)}
    folded = np.abs(runs(1, 0.0, np.zeros(FACTORS), pairs) @ effect_weights().T).max()
    plain = np.abs(runs(1, 0.0, np.zeros(FACTORS), pairs, fold_over=False) @ effect_weights(False).T).max()
    assert folded == pytest.approx(0, abs=1e-12)
    assert plain == pytest.approx(np.log(1.1) / 6)
    wrong = {}
    for fold_over in (True, False):
        seen = [
            one.low is not None and one.high is not None and not one.low <= 1 <= one.high
            for seed in range(300)
            for one in found(runs(seed, 0.01, np.zeros(FACTORS), pairs, fold_over=fold_over), fold_over)[2:]
        ]
        wrong[fold_over] = float(np.mean(seen))
    assert wrong[True] <= 0.07
    assert wrong[False] >= 0.5


@pytest.mark.long
def test_pairs_that_act_together_are_found_and_leave_the_others_alone() -> None:
    """A strong pair leaks by a third into 28 of 44 others, unless what it does is taken out of them."""
    planted = {(0, 1): np.log(1.2), (4, 7): np.log(1.12)}
    largest, hits, outside, listed = [], [], [], []
    for seed in range(100):
        actions = pair_actions(signs(), runs(30_000 + seed, 0.02, np.zeros(FACTORS), planted))
        p_values = dict(zip((one.pair for one in actions), map(_p, actions), strict=True))
        q_values = dict(zip(p_values, false_discovery(list(p_values.values())), strict=True))
        largest.append(set(sorted(q_values, key=q_values.__getitem__)[:2]) == set(planted))
        for one in actions:
            interval = mean_interval(one.logs)
            truth = planted.get(one.pair, 0.0)
            held = interval.low is not None and interval.high is not None
            held = held and (interval.low or 0) <= truth <= (interval.high or 0)
            if one.pair in planted:
                hits.append(held)
            else:
                outside.append(not held)
                listed.append(q_values[one.pair] <= 0.05)
    assert np.mean(largest) >= 0.98
    assert 0.9 <= np.mean(hits) <= 0.99
    assert 0.03 <= np.mean(outside) <= 0.07
    assert np.mean(listed) <= 0.02


def test_what_leaks_is_said_to_be_taken_out() -> None:
    planted = {(0, 1): np.log(1.2)}
    actions = {one.pair: one for one in pair_actions(signs(), runs(1, 0.01, np.zeros(FACTORS), planted))}
    assert actions[0, 1].explained_by == ()
    taken = [one for one in actions.values() if (0, 1) in one.explained_by]
    assert len(taken) == actions[0, 1].mixed == 28


def test_what_three_factors_do_together_makes_effects_of_others() -> None:
    """A fixed share of a triple is in the effects of a folded design: words of a screen name candidates."""
    design = signs()
    triple = design[:, 0] * design[:, 1] * design[:, 2]
    sure = []
    for seed in range(200):
        logs = runs(70_000 + seed, 0.02, np.zeros(FACTORS)) + np.log(1.2) / 2 * triple
        sure += [
            one.low is not None and not (one.low or 0) <= 1 <= (one.high or 0) for one in found(logs)[3:]
        ]
    assert np.mean(sure) > 0.5


def _p(one: PairAction) -> float:
    p = zero_p(one.logs)
    assert p is not None
    return p


def test_of_one_block_lenths_margin_holds_what_it_says() -> None:
    """Two of ten effects are real. Lenth's margins are a little too wide where few effects are real."""
    truth = np.array([0.3, -0.2, *[0.0] * 8])
    alone, together, seen = [], [], []
    for seed in range(STUDIES):
        effects = (runs(50_000 + seed, 0.02, truth, blocks=1) @ effect_weights().T)[0]
        margin = lenth(effects)
        alone += list(np.abs(effects[2:]) > margin.alone)
        together.append((np.abs(effects[2:]) > margin.together).any())
        seen.append((np.abs(effects[:2]) > margin.alone).all())
    assert np.mean(alone) <= 0.05
    assert np.mean(together) <= 0.05
    assert np.mean(seen) >= 0.95


def test_a_hypercube_finds_slopes_over_several_levels() -> None:
    """Four levels, 24 treatments: the ratio of the highest to the lowest, where the logarithm is a line."""
    rows = np.array(latin_hypercube((4,) * 6, 24, 0))
    screen = Screen(tuple(coded(column.tolist(), 4, range(4)) for column in rows.T))
    weights = np.array([of[-1] - of[0] for of in screen.weights])
    truth = np.array([np.log(1.2), np.log(1.05), 0, 0, 0, 0])
    logs_of = rows / 3 @ truth
    hits, words = [], []
    for seed in range(STUDIES // 2):
        random = np.random.default_rng(60_000 + seed)
        logs = logs_of + random.normal(0, 0.02, (BLOCKS, 24)) + random.normal(0, 0.05, (BLOCKS, 1))
        effects = [_ratio(one) for one in (logs @ weights.T).T]
        hits += [
            np.log(one.low or 0) <= true <= np.log(one.high or 0)
            for one, true in zip(effects, truth, strict=True)
        ]
        words.append(word_of(effects[1], REGION, 6, higher=True))
    assert 0.93 <= np.mean(hits) <= 0.97
    assert np.mean([word in ("better", "more") for word in words]) >= 0.99


def test_what_pairs_do_moves_effects_of_a_hypercube_a_little() -> None:
    """An interaction moves a main effect by up to a sixth of its size, in every block alike."""
    rows = np.array(latin_hypercube((4,) * 6, 24, 0))
    screen = Screen(tuple(coded(column.tolist(), 4, range(4)) for column in rows.T))
    weights = np.array([of[-1] - of[0] for of in screen.weights])
    scaled = rows / 1.5 - 1
    moved = max(
        np.abs(weights @ (scaled[:, one] * scaled[:, other] / 4)).max()
        for one in range(6)
        for other in range(one)
    )
    assert 0.05 <= moved <= 0.25


def test_a_region_decides_as_everywhere() -> None:
    """The word of an effect comes from its whole interval against the region of indifference."""
    one = found(runs(7, 0.001, np.full(FACTORS, np.log(1.01))))[0]
    assert position(one.low or 0, one.high or 0, REGION) == "inside"
    assert word_of(one, REGION, 6, higher=True) == "same"
