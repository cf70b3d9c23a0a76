"""Several looks at one study: the level of each, and the errors of all of them together."""

from __future__ import annotations

import numpy as np
import pytest
from assay.results.stats.intervals import t_quantile
from assay.results.stats.sequential import looks_until, nominal_level, summed_error


def test_looks_end_with_the_most_blocks() -> None:
    assert looks_until(40, 6) == (6, 8, 11, 15, 20, 28, 40)
    assert looks_until(30, 8) == (8, 11, 15, 20, 28, 30)
    assert looks_until(6, 6) == (6,)
    with pytest.raises(ValueError, match="fewer than the 8"):
        looks_until(7, 8)


@pytest.mark.parametrize(
    ("confidence", "most", "level"),
    [(0.90, 20, 0.0338), (0.95, 8, 0.0321), (0.95, 40, 0.0114), (0.95, 99, 0.0084), (0.99, 40, 0.0019)],
)
def test_the_level_is_that_of_400_000_other_studies(confidence: float, most: int, level: float) -> None:
    assert nominal_level(looks_until(most, 6), confidence) == pytest.approx(level, rel=0.06)


def test_one_look_has_the_level_that_was_asked_for() -> None:
    assert nominal_level((6,), 0.95) == pytest.approx(0.05)


def misses(level: float, looks: tuple[int, ...], values: np.ndarray) -> float:
    """The share of studies of which an interval at any look misses the truth, which is 0."""
    missed = np.zeros(len(values), dtype=bool)
    for n in looks:
        part = values[:, :n]
        half = t_quantile(1 - level / 2, n - 1) * part.std(axis=1, ddof=1) / n**0.5
        missed |= np.abs(part.mean(axis=1)) > half
    return float(missed.mean())


def test_all_looks_together_miss_as_often_as_one_would() -> None:
    looks = looks_until(40, 6)
    values = np.random.default_rng(1).standard_normal((20_000, 40))
    assert 0.043 < misses(nominal_level(looks, 0.95), looks, values) < 0.057
    assert misses(0.05, looks, values) > 0.09  # what following advice at the full level costs
    heavy = np.random.default_rng(2).standard_t(3, (20_000, 40))
    assert misses(nominal_level(looks, 0.95), looks, heavy) < 0.05


def test_looks_that_were_not_planned_add_up() -> None:
    assert summed_error([0.05, 0.05]) == pytest.approx(0.1)
    assert summed_error([0.5, 0.5, 0.5]) == 1.0
