"""A state that gathers is seen; one that is level, or in a cycle, is not taken for it."""

from __future__ import annotations

import numpy as np
import pytest
from assay.results.stats import fills, grows
from assay.testing.windows import like_neighbours


@pytest.mark.sampled(2)
@pytest.mark.parametrize("alike", [0.0, 0.8, 0.98])
@pytest.mark.parametrize("seconds", [20, 60, 200])
def test_levels_do_not_grow(alike: float, seconds: int) -> None:
    random = np.random.default_rng(int(seconds + 100 * alike))
    levels = [50_000 * (1 + like_neighbours(random, seconds, alike, 0.2)) for _ in range(100)]
    assert sum(grows(level, 10_000) for level in levels) <= 1
    reads = [500 * (1 + like_neighbours(random, seconds, alike, 0.2)) for _ in range(100)]
    held = [6000 * (1 + like_neighbours(random, seconds, alike, 0.02)) for _ in range(100)]
    assert sum(fills(pages, 8000, read) for pages, read in zip(held, reads, strict=True)) <= 1


@pytest.mark.parametrize("seconds", [20, 60, 200])
def test_what_gathers_is_seen(seconds: int) -> None:
    random = np.random.default_rng(seconds)
    t = np.arange(seconds) / seconds
    found = [grows(50_000 * (0.2 + t) * (1 + random.normal(0, 0.05, seconds)), 10_000) for _ in range(60)]
    assert sum(found) >= 57
    pools = [
        (
            8000 * (0.5 + 0.3 * t + random.normal(0, 0.002, seconds)),
            900 * np.exp(-2 * t) * random.gamma(100, 0.01),
        )
        for _ in range(60)
    ]
    assert sum(fills(held, 8000, read) for held, read in pools) >= 57


@pytest.mark.parametrize("values", [[], [1.0] * 5, [0.0] * 60, [float("nan")] * 60])
def test_too_little_says_nothing(values: list[float]) -> None:
    assert not grows(values, 1)
    assert not fills(values, 100, values)
    assert not fills([10.0] * len(values), 0, values)
