"""Drifts over positions: how often the doubt is raised without a drift, and how often with one."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from assay.design.plan.schedule import balanced
from assay.results.stats import position_drift
from assay.results.verdict.doubts.order import change_beyond
from numpy.typing import NDArray

Floats = NDArray[np.float64]
STUDIES = 2000
MARGIN = 0.02
SIZES = [(2, 6), (3, 3), (4, 6), (5, 6), (8, 12)]
"""Treatments (or rungs), blocks."""


def noise(kind: str, random: np.random.Generator, count: int) -> Floats:
    """One value a run, in the order of time, with a standard deviation of 5 %."""
    match kind:
        case "t3":
            return 0.05 / math.sqrt(3) * random.standard_t(3, count)
        case "slow":  # now and then a slow run
            return 0.05 * (1 - random.exponential(1, count))
        case "alike":  # neighbours in time, with a correlation of a half
            found = random.normal(0, 0.05, count)
            for at in range(1, count):
                found[at] = found[at - 1] / 2 + math.sqrt(0.75) * found[at]
            return found
    return random.normal(0, 0.05, count)


@cache
def drawn_positions(things: int, blocks: int, seed: int) -> NDArray[np.int64]:
    """Each thing's position in each block, as a study with this seed draws them."""
    orders = [balanced(range(things), seed, block + 1) for block in range(blocks)]
    return np.array([[order.index(thing) for order in orders] for thing in range(things)])


def study(
    things: int, blocks: int, seed: int, random: np.random.Generator, noise: Floats, drift: float = 0.0
) -> tuple[Floats, NDArray[np.int64]]:
    """Logarithms of what each thing does in each block, and its position there."""
    positions = drawn_positions(things, blocks, seed)
    at = positions + things * np.arange(blocks)
    logs = noise[at] + random.normal(0, 0.3, (things, 1)) + random.normal(0, 0.05, blocks)
    return logs + math.log1p(drift) * positions / (things - 1), positions


def seen(kind: str, things: int, blocks: int) -> float:
    """How often a drift is seen where there is none."""
    random = np.random.default_rng(1)
    found = [
        change_beyond(*study(things, blocks, seed, random, noise(kind, random, things * blocks)), MARGIN)
        for seed in range(STUDIES)
    ]
    return float(np.mean([one is not None for one in found]))


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("things", "blocks"), SIZES)
@pytest.mark.parametrize("kind", ["normal", "t3", "slow"])
def test_no_drift_is_seen_where_there_is_none(kind: str, things: int, blocks: int) -> None:
    """Two such tests are made of a study, so each may err in half a percent; luck of 2,000 studies apart."""
    assert seen(kind, things, blocks) <= 0.0085


def test_the_p_value_is_uniform() -> None:
    random = np.random.default_rng(2)
    tests = [
        position_drift(*study(4, 6, seed, random, noise("normal", random, 24))) for seed in range(STUDIES)
    ]
    p = [one.p_value for one in tests if one is not None]
    assert len(p) == STUDIES
    for level in (0.05, 0.5):
        assert np.mean(np.array(p) <= level) == pytest.approx(level, abs=3 * math.sqrt(level / STUDIES))


@pytest.mark.parametrize(
    ("things", "blocks", "drift", "found"), [(2, 6, 0.05, 0.9), (4, 6, 0.05, 0.99), (5, 6, -0.03, 0.95)]
)
def test_a_planted_drift_is_seen(things: int, blocks: int, drift: float, found: float) -> None:
    random = np.random.default_rng(3)
    changes = [
        change_beyond(
            *study(things, blocks, seed, random, noise("normal", random, things * blocks) / 5, drift), MARGIN
        )
        for seed in range(STUDIES // 4)
    ]
    there = [one for one in changes if one is not None]
    assert len(there) / len(changes) >= found
    assert np.mean(there) == pytest.approx(drift, abs=0.006)


def test_things_that_keep_their_position_have_no_drift_to_see() -> None:
    assert position_drift([[1.0, 1.1, 1.2], [2.0, 2.4, 2.1]], [[1, 1, 1], [2, 2, 2]]) is None
    assert position_drift([[1.0, 1.1]], [[1, 1]]) is None


if __name__ == "__main__":
    for things, blocks in SIZES:
        print(
            f"{things} × {blocks}:",
            ", ".join(
                f"{kind} {seen(kind, things, blocks):.2%}" for kind in ("normal", "t3", "slow", "alike")
            ),
        )
