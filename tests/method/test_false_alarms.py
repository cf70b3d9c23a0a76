"""A/A studies raise no more alarms than stated, and planted effects are found."""

from __future__ import annotations

import numpy as np
import pytest
from assay.results.stats.intervals import geometric_interval, mean_interval
from assay.results.stats.paired import paired_ratio, sign_flip_p
from assay.results.stats.planning import more_blocks
from assay.results.stats.region import around, fewest_blocks, position
from assay.results.verdict.comparisons import word_of

STUDIES = 2000
REGION = around(1.0, 0.02)


def verdicts(seed: int, ratio: float, *, blocks: int = 6, noise: float = 0.01) -> list[str]:
    random = np.random.default_rng(seed)
    logs = np.log(ratio) + random.normal(0, noise * 2**0.5, size=(STUDIES, blocks))
    found = [geometric_interval(row) for row in np.exp(logs)]  # the interval of `paired_ratio`, without its p
    return [position(f.low, f.high, REGION) for f in found]


@pytest.mark.parametrize(("noise", "least", "most"), [(0.05, 0.002, 0.022), (0.10, 0.008, 0.035)])
def test_where_nothing_differs_noise_makes_few_alarms(noise: float, least: float, most: float) -> None:
    """1.1 % at 5 % noise, 2.2 % at 10 %: below the 5 % of the interval, for the region must be passed too.

    Less noise proves nothing: at 1 % no interval of six blocks reaches past the region at all.
    """
    called = verdicts(1, 1.0, noise=noise)
    assert least <= np.mean([word in ("above", "below") for word in called]) <= most


def test_on_the_edge_of_indifference_the_stated_rate_is_reached_and_not_passed() -> None:
    called = verdicts(2, 1.02)
    assert 0.01 <= np.mean([word == "above" for word in called]) <= 0.04  # half of 5 %: one side
    assert np.mean([word == "inside" for word in called]) <= 0.04


@pytest.mark.parametrize(
    ("ratio", "noise", "blocks", "power"),
    [
        (1.03, 0.01, 6, 0.28),
        (1.03, 0.01, 30, 0.95),
        (1.05, 0.02, 6, 0.52),
        (1.05, 0.01, 6, 0.975),
        (1.10, 0.05, 6, 0.56),
    ],
)
def test_power_is_what_the_docs_say(ratio: float, noise: float, blocks: int, power: float) -> None:
    """How often an effect is called: at six blocks one of 3 % under 1 % noise mostly is not."""
    for direction, word in ((ratio, "above"), (1 / ratio, "below")):
        called = verdicts(3, direction, noise=noise, blocks=blocks)
        assert np.mean([one == word for one in called]) == pytest.approx(power, abs=0.04)
        assert not {"above", "below"} - {word} & set(called)


def words(ratio: float, noise: float) -> list[str]:
    random = np.random.default_rng(9)
    found = np.exp(np.log(ratio) + random.normal(0, noise * 2**0.5, size=(STUDIES, 6)))
    pairs = [paired_ratio(np.ones(6), row) for row in found]
    return [word_of(one, REGION, fewest_blocks(0.95), higher=True) for one in pairs]


def test_a_direction_is_sure_before_its_size_is() -> None:
    """3 % under 1 % noise: six blocks say that it is more, and seldom that it is beyond the margin."""
    called = words(1.03, 0.01)
    assert np.mean([word in ("more", "better") for word in called]) >= 0.95
    assert np.mean([word == "better" for word in called]) <= 0.35
    for noise in (0.01, 0.05):  # where nothing differs, 2.5 % a side
        called = words(1.0, noise)
        wrong = np.mean([word in ("more", "less", "better", "worse") for word in called])
        assert wrong <= 0.065


@pytest.mark.parametrize(("blocks", "power"), [(6, 0.61), (8, 0.85)])
def test_equality_is_found_as_often_as_the_docs_say(blocks: int, power: float) -> None:
    called = verdicts(5, 1.0, noise=0.01, blocks=blocks)
    assert np.mean([word == "inside" for word in called]) == pytest.approx(power, abs=0.04)


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


def settled(ratio: float, noise: float, studies: int = 600) -> tuple[float, float]:
    """Shares of undecided studies that the blocks asked for settle, and of those for which none are asked.

    Effect and spread are those of the six blocks, which are kept, as in use.
    """
    random = np.random.default_rng(5)
    undecided, given, done = 0, 0, 0
    for _ in range(studies):
        logs = np.log(ratio) + random.normal(0, noise * 2**0.5, 6)
        if where(logs) != "astride":
            continue
        undecided += 1
        distance = min(abs(float(logs.mean()) - np.log(edge)) for edge in (REGION.low, REGION.high))
        if (more := more_blocks(distance, float(logs.std(ddof=1)), 6, fewest=6)) is None:
            continue
        given += 1
        later = np.concatenate([logs, np.log(ratio) + random.normal(0, noise * 2**0.5, more)])
        done += where(later) != "astride"
    return done / given, 1 - given / undecided


def where(logs: np.ndarray) -> str:
    found = mean_interval(logs)
    return position(float(np.exp(found.low)), float(np.exp(found.high)), REGION)


@pytest.mark.parametrize(
    ("ratio", "noise", "least", "hopeless"),
    [(1.05, 0.02, 0.93, 0.06), (1.0, 0.01, 0.95, 0.03), (1.04, 0.02, 0.84, 0.18), (1.03, 0.02, 0.55, 0.32)],
)
def test_more_blocks_settle_it_by_what_six_have_told(
    ratio: float, noise: float, least: float, hopeless: float
) -> None:
    """Promised 80 %. Far from the edge it is more; half a noise from it, less, and some are sent away."""
    share, without = settled(ratio, noise)
    assert share >= least
    assert without <= hopeless


def test_more_blocks_keep_their_promise_when_truth_is_known() -> None:
    ratio, noise, n = 1.04, 0.03, 6
    extra = more_blocks(np.log(ratio / REGION.high), noise, n)
    assert extra is not None
    called = verdicts(8, ratio, blocks=n + extra, noise=noise / 2**0.5)
    assert np.mean([word == "above" for word in called]) == pytest.approx(0.8, abs=0.06)


def test_no_number_of_blocks_settles_what_lies_on_the_edge() -> None:
    assert more_blocks(0.0, 0.05, 6) is None
