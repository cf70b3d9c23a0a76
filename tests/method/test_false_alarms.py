"""A/A studies raise no more alarms than stated, and planted effects are found."""

from __future__ import annotations

import numpy as np
import pytest
from assay.stats.intervals import geometric_interval
from assay.stats.paired import sign_flip_p
from assay.stats.planning import more_blocks
from assay.stats.region import around, fewest_blocks, place
from assay.stats.steady import steadiness

STUDIES = 2000
REGION = around(1.0, 0.02)


def verdicts(seed: int, ratio: float, *, blocks: int = 6, noise: float = 0.01) -> list[str]:
    random = np.random.default_rng(seed)
    logs = np.log(ratio) + random.normal(0, noise * 2**0.5, size=(STUDIES, blocks))
    found = [geometric_interval(row) for row in np.exp(logs)]  # the interval of `paired_ratio`, without its p
    return [place(f.low, f.high, REGION) for f in found]


@pytest.mark.parametrize("noise", [0.002, 0.01, 0.05])
def test_nothing_differs_and_hardly_anything_is_called_different(noise: float) -> None:
    called = verdicts(1, 1.0, noise=noise)
    assert np.mean([word in ("above", "below") for word in called]) <= 0.05


def test_on_the_edge_of_indifference_the_stated_rate_is_reached_and_not_passed() -> None:
    called = verdicts(2, 1.02)
    assert 0.01 <= np.mean([word == "above" for word in called]) <= 0.04  # half of 5 %: one side
    assert np.mean([word == "inside" for word in called]) <= 0.04


def test_a_planted_effect_is_found() -> None:
    assert np.mean([word == "above" for word in verdicts(3, 1.10)]) >= 0.99
    assert np.mean([word == "below" for word in verdicts(4, 0.90)]) >= 0.99


def test_a_planted_equality_is_found() -> None:
    assert np.mean([word == "inside" for word in verdicts(5, 1.0, noise=0.003)]) >= 0.99


def test_permutation_p_is_uniform_under_the_null() -> None:
    random = np.random.default_rng(6)
    p = np.array([sign_flip_p(row) for row in random.normal(size=(STUDIES, 8))])
    for level in (0.05, 0.1, 0.25, 0.5, 0.75):
        # It moves in steps of 2/256, so "at most" is exact but for luck.
        assert np.mean(p <= level) == pytest.approx(level, abs=0.025)


def test_drawn_permutations_agree_with_counted_ones() -> None:
    row = np.random.default_rng(7).normal(0.3, 1, size=21)
    drawn = sign_flip_p(row, seed=1, draws=20_000)
    head = sign_flip_p(row[:20])
    assert drawn == sign_flip_p(row, seed=1, draws=20_000)
    assert abs(drawn - sign_flip_p(row, seed=2, draws=20_000)) < 0.02
    assert 0 < head <= 1


def test_five_blocks_cannot_reach_five_percent_and_six_can() -> None:
    assert sign_flip_p(np.ones(5)) == 2 / 2**5 > 0.05
    assert sign_flip_p(np.ones(6)) == 2 / 2**6 < 0.05
    assert (fewest_blocks(0.95), fewest_blocks(0.90), fewest_blocks(0.99)) == (6, 5, 8)


def test_more_blocks_settle_it_about_as_often_as_promised() -> None:
    ratio, noise, n = 1.04, 0.03, 6
    extra = more_blocks(np.log(ratio / REGION.high), noise, n)
    assert extra is not None
    called = verdicts(8, ratio, blocks=n + extra, noise=noise / 2**0.5)
    assert 0.7 <= np.mean([word == "above" for word in called]) <= 0.95


def test_no_number_of_blocks_settles_what_lies_on_the_edge() -> None:
    assert more_blocks(0.0, 0.05, 6) is None


@pytest.mark.parametrize("alike", [0.0, 0.5, 0.8])
@pytest.mark.parametrize("seconds", [20, 60, 300])
def test_level_windows_are_seldom_called_drifting(alike: float, seconds: int) -> None:
    random = np.random.default_rng(int(seconds + 1000 * alike))
    drifting = 0
    for _ in range(400):
        noise = random.normal(size=seconds)
        for i in range(1, seconds):
            noise[i] += alike * noise[i - 1]
        drifting += steadiness(1000 * (1 + 0.05 * noise)).label == "drifting"
    assert drifting / 400 <= (0.05 if alike < 0.8 else 0.10) + 0.02


@pytest.mark.parametrize("change", [-0.2, 0.15, 0.3])
def test_drifts_are_found(change: float) -> None:
    random = np.random.default_rng(10)
    line = 1 + change * np.linspace(-0.5, 0.5, 60)
    found = [steadiness(1000 * line * (1 + random.normal(0, 0.03, 60))) for _ in range(200)]
    assert np.mean([f.label == "drifting" for f in found]) >= 0.95
    assert np.mean([f.change for f in found]) == pytest.approx(change, abs=0.01)


def test_a_small_drift_is_no_alarm_however_sure() -> None:
    line = 1000 * (1 + 0.03 * np.linspace(-0.5, 0.5, 300))
    assert steadiness(line).label == "steady"


def test_nine_seconds_say_nothing() -> None:
    assert steadiness(np.ones(9)).label == "too-short"
