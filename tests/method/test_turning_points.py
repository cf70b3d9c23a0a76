"""Do the sets of rungs and of levels hold the truth as often as they say?

Worst cases: a rung exactly on the share, a level as good as the best.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from assay.results.stats import turning_points
from assay.results.stats.turning_points import collapse_rungs, crossover_rungs, knee_rungs, not_beaten

STUDIES, BLOCKS = 1000, 6
LOADS = 2.0 ** np.arange(11)
Floats = np.ndarray


def studies(throughput: Floats, noise: float, seed: int = 1, blocks: int = BLOCKS) -> Floats:
    """Logarithms, studies × blocks × rungs: starts differ by 8 %, rungs of one start by `noise`."""
    random = np.random.default_rng(seed)
    starts = random.normal(0, 0.08, (STUDIES, blocks, 1))
    return np.log(throughput) + starts + random.normal(0, noise, (STUDIES, blocks, throughput.size))


def usl(sigma: float, kappa: float) -> Floats:
    return LOADS / (1 + sigma * (LOADS - 1) + kappa * LOADS * (LOADS - 1))


def wall(at: int, share: float) -> Floats:
    """As much as the best from rung `at` on, and there exactly the share of it."""
    found = np.minimum(LOADS, LOADS[at])
    found[at] *= share
    return found


CURVES = [(usl(0.03, 0.0001), 0.9), (usl(0.005, 0.0), 0.95), (wall(5, 0.9), 0.9), (wall(7, 0.95), 0.95)]


def held(may_be: np.ndarray, truth: int) -> float:
    return float(np.mean(may_be[:, truth]))


def first_with(throughput: Floats, share: float) -> int:
    return int(np.argmax(throughput >= share * throughput.max() * (1 - 1e-12)))


@pytest.mark.parametrize("noise", [0.01, 0.05])
@pytest.mark.parametrize("curve", range(len(CURVES)))
def test_the_knee_is_among_the_rungs_that_may_be_it(curve: int, noise: float) -> None:
    throughput, share = CURVES[curve]
    found = knee_rungs(studies(throughput, noise), share)
    assert held(found, first_with(throughput, share)) >= 0.95
    if noise == 0.01:
        assert np.median(found.sum(axis=1)) <= 2


@pytest.mark.parametrize("noise", [0.01, 0.05])
def test_the_collapse_is_among_the_rungs_that_may_be_it(noise: float) -> None:
    falling = wall(6, 0.9)[::-1]  # all that there is up to rung 3, its nine tenths at 4, less from 5 on
    found = collapse_rungs(studies(falling, noise), 0.9)
    assert held(found, 5) >= 0.95
    never = collapse_rungs(studies(usl(0.005, 0.0), noise), 0.9)
    assert held(never, LOADS.size) >= 0.95


def log_ratios(per_doubling: float, at: float, noise: float) -> Floats:
    """The first of two leads below load `at`, by so much more with every doubling away from it."""
    random = np.random.default_rng(3)
    logs = per_doubling * (np.log2(at) - np.log2(LOADS))
    return logs + random.normal(0, noise * 2**0.5, (STUDIES, BLOCKS, LOADS.size))


@pytest.mark.parametrize("noise", [0.01, 0.02, 0.05])
def test_the_crossover_is_among_the_rungs_that_may_be_it(noise: float) -> None:
    found = crossover_rungs(log_ratios(0.06, 100, noise))
    assert held(found, 7) >= 0.95  # 128 is the first rung beyond 100
    hair = np.where(LOADS < 100, 0.2, -1e-6)  # ahead by nothing: each rung is a chance to err
    noisy = hair + np.random.default_rng(4).normal(0, noise, (STUDIES, BLOCKS, LOADS.size))
    assert held(crossover_rungs(noisy), 7) >= 0.95


def test_two_that_lead_in_turns_cross_nowhere() -> None:
    turns = np.where(np.arange(LOADS.size) % 2, 0.2, -0.2)
    noise = np.random.default_rng(5).normal(0, 0.01, (STUDIES, BLOCKS, LOADS.size))
    assert not crossover_rungs(turns + noise).any()
    reversed_ = crossover_rungs(-log_ratios(0.06, 100, 0.01))
    assert not reversed_.any()


@pytest.mark.parametrize("lead", [0.0, 0.005, 0.03])
@pytest.mark.parametrize("noise", [0.01, 0.05])
def test_the_best_is_among_those_that_none_beats(lead: float, noise: float) -> None:
    levels = np.array([1.0 + lead, 1.0, 1.0, 1.0, 0.9])
    found = not_beaten(studies(levels, noise))
    assert held(found, 0) >= 0.95
    if noise == 0.01:
        assert held(found, 4) <= 0.01  # what is worse by a tenth is beaten


def test_what_leads_by_a_tenth_is_best_alone() -> None:
    found = not_beaten(studies(np.array([1.1, 1.0, 1.0, 0.95]), 0.01))
    assert np.mean(found.sum(axis=1) == 1) >= 0.99


def test_one_block_tells_nothing() -> None:
    for of in (not_beaten, crossover_rungs, lambda x: knee_rungs(x, 0.9), lambda x: collapse_rungs(x, 0.9)):
        with pytest.raises(ValueError, match="two blocks"):
            of(np.ones((1, 4)))
    with pytest.raises(ValueError, match="between 0 and 1"):
        knee_rungs(np.ones((6, 4)), 1.0)


def level_beyond(noise: float = 0.02) -> Floats:
    """The first leads up to 64, and from 128 on neither does."""
    random = np.random.default_rng(6)
    return np.where(LOADS < 100, 0.2, 0.0) + random.normal(0, noise, (STUDIES, BLOCKS, LOADS.size))


@pytest.mark.parametrize(
    ("of", "logs", "truth"),
    [
        (lambda x: knee_rungs(x, 0.9), studies(wall(5, 0.9), 0.02), 5),
        (not_beaten, studies(np.ones(8), 0.05), 0),
        (crossover_rungs, level_beyond(), 7),
    ],
    ids=["knee", "best", "crossover"],
)
def test_without_correction_they_would_hold_it_too_seldom(
    monkeypatch: pytest.MonkeyPatch, of: Callable[[Floats], np.ndarray], logs: Floats, truth: int
) -> None:
    """The planted fault: every comparison at the full level, however many there are."""
    assert held(of(logs), truth) >= 0.95
    whole = turning_points.t_quantile(0.975, BLOCKS - 1)
    monkeypatch.setattr(turning_points, "t_quantile", lambda *_: whole)
    assert held(of(logs), truth) < 0.95
