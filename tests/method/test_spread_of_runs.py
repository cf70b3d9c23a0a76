"""Simulates claims about the spread of runs, whose interval must hold it for runs with outliers, too."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from assay.results.stats import judged_wider, mean_interval, spread_of_runs
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Draw = Callable[[np.random.Generator, tuple[int, int]], Floats]
SPREAD = 0.05
RUNS: dict[str, Draw] = {
    "normal": lambda random, shape: random.standard_normal(shape),
    "heavy tails": lambda random, shape: random.standard_t(3, shape) / np.sqrt(3),
    "skewed": lambda random, shape: random.standard_exponential(shape) - 1,
}


def contributions(of: Draw, random: np.random.Generator, studies: int, runs: int) -> Floats:
    """Logarithms of what each run contributes to the spread in per cent, one study a row."""
    rows = 1 + SPREAD * of(random, (studies, runs))
    return np.log([judged_wider(spread_of_runs(row.tolist(), relative=True) or []) for row in rows])


def share_held(logs: Floats, truth: float) -> float:
    intervals = [mean_interval(row) for row in logs]
    return float(np.mean([(one.low or 0) <= truth <= (one.high or 0) for one in intervals]))


@pytest.mark.parametrize("runs", [5, 10, 30])
@pytest.mark.parametrize("kind", RUNS)
def test_the_interval_of_a_spread_holds_it(kind: str, runs: int) -> None:
    logs = contributions(RUNS[kind], np.random.default_rng(5), 250, runs)
    assert share_held(logs, np.log(100 * SPREAD)) >= 0.92  # 0.95, with the error of so few studies


@pytest.mark.parametrize(("one", "other"), [("heavy tails", "normal"), ("skewed", "normal")])
def test_the_interval_of_a_ratio_of_spreads_holds_it(one: str, other: str) -> None:
    random = np.random.default_rng(6)
    left, right = (contributions(RUNS[kind], random, 250, 8) for kind in (one, other))
    assert share_held(left - right, 0.0) >= 0.92


def test_a_spread_of_three_times_as_much_is_found() -> None:
    random = np.random.default_rng(7)
    logs = contributions(RUNS["normal"], random, 200, 20)
    above = [(mean_interval(row).low or 0) > np.log(100 * SPREAD / 3) for row in logs]
    assert np.mean(above) > 0.9


if __name__ == "__main__":
    for kind, draw in RUNS.items():
        for count in (5, 6, 10, 20, 40):
            held = share_held(
                contributions(draw, np.random.default_rng(1), 2000, count), np.log(100 * SPREAD)
            )
            print(kind, count, f"{held:.3f}", flush=True)
