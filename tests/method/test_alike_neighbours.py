"""Simulates studies that are looked at once, with log-ratios whose neighbours are alike from block to block.

`python tests/method/test_alike_neighbours.py` prints the table of docs/method/statistics.md.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from assay.results.stats import alike_factor, course_of, mean_interval
from numpy.typing import NDArray

Floats = NDArray[np.float64]
NOISE, EDGE = 0.07, float(np.log(1.02))  # of a log-ratio: two runs at 5 % each; the margin


def alike(random: np.random.Generator, lag: float, shape: tuple[int, int]) -> Floats:
    steps = random.standard_normal(shape)
    for block in range(1, shape[1]):
        steps[:, block] = lag * steps[:, block - 1] + np.sqrt(1 - lag**2) * steps[:, block]
    return steps


@dataclass(frozen=True)
class Rates:
    """Shares of studies: their interval holds the truth, plain and widened for a correlation of 0.5; they say
    *better* or *worse*, and by the widened interval too; they are not doubted.
    """

    holds: float
    holds_widened: float
    differs: float
    differs_widened: float
    is_undoubted: float


def rates(logs: Floats, truth: float = 0.0, *, undoubted_alone: bool = False) -> Rates:
    """Rates of studies, one a row, by the functions that judge."""
    factor = alike_factor(logs.shape[1], 0.5, 0.95)
    found = []
    for one in logs:
        course = course_of(one) if undoubted_alone else None
        interval = mean_interval(one)
        assert interval.high is not None
        half = interval.high - interval.value
        away, apart = abs(interval.value - truth), abs(interval.value) - EDGE
        found.append(
            (
                away <= half,
                away <= half * factor,
                apart > half,
                apart > half * factor,
                course is None or not course.is_seen(),
            )
        )
    table = np.array(found)
    counted = table[table[:, 4]] if undoubted_alone else table
    return Rates(*(float(one) for one in (*counted[:, :4].mean(axis=0), table[:, 4].mean())))


@pytest.mark.parametrize("blocks", [5, 6, 10, 30])
@pytest.mark.parametrize("lag", [0.3, 0.5])
def test_an_interval_widened_for_a_correlation_holds_up_to_it(blocks: int, lag: float) -> None:
    random = np.random.default_rng(7)
    found = rates(NOISE * alike(random, lag, (1500, blocks)))
    assert found.holds < 0.92  # the plain one does not
    assert found.holds_widened >= 0.93
    assert found.differs_widened <= 0.04


def test_words_that_withstand_a_correlation_are_still_given() -> None:
    random = np.random.default_rng(8)
    logs = np.log(1.1) + 0.02 * np.sqrt(2) * random.standard_normal((400, 8))
    assert rates(logs, float(np.log(1.1))).differs_widened > 0.9


def test_a_factor_grows_with_the_correlation_and_is_none_without() -> None:
    for blocks in (2, 3, 6, 45):
        factors = [alike_factor(blocks, lag, 0.95) for lag in (0.0, 0.2, 0.5, 0.9)]
        assert factors[0] == pytest.approx(1.0)
        assert factors == sorted(factors)


if __name__ == "__main__":
    draws: dict[str, Callable[[np.random.Generator, int], tuple[Floats, float]]] = {
        f"correlation {lag:g}": lambda random, n, lag=lag: (NOISE * alike(random, lag, (4000, n)), 0.0)  # type: ignore[misc]
        for lag in (0.0, 0.3, 0.5, 0.8)
    }
    for effect in (0.05, 0.1):
        draws[f"effect of {effect:.0%}, runs of 2 %"] = lambda random, n, effect=effect: (  # type: ignore[misc]
            np.log1p(effect) + 0.02 * np.sqrt(2) * random.standard_normal((4000, n)),
            float(np.log1p(effect)),
        )
    for name, draw in draws.items():
        for n in (6, 10, 20, 30):
            logs, truth = draw(np.random.default_rng(n), n)
            print(name, n, rates(logs, truth, undoubted_alone=True), flush=True)
