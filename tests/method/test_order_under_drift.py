"""A machine that drifts while a study runs: what the order of treatments does to the paired interval."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from assay.design.plan.schedule import balanced
from assay.results.stats import paired_ratio

STUDIES, BLOCKS, NOISE = 500, 6, 0.01
A_RUN = 0.01  # what the machine loses from one run to the next


def _held(order: Callable[[int, int], tuple[int, ...]], treatments: int) -> tuple[float, float]:
    """How often the interval of two equals holds 1, and how often it lies outside a margin of 2 %."""
    random = np.random.default_rng(1)
    found = []
    for study in range(STUDIES):
        slots = [order(study, block).index(of) for block in range(1, BLOCKS + 1) for of in (0, 1)]
        slot = np.array(slots).reshape(BLOCKS, 2) + treatments * np.arange(BLOCKS)[:, None]
        logs = -A_RUN * slot + random.normal(0, NOISE, slot.shape)
        found.append(paired_ratio(*np.exp(logs.T)))
    held = np.mean([one.low <= 1 <= one.high for one in found])
    return float(held), float(np.mean([one.low > 1.02 or one.high < 1 / 1.02 for one in found]))


@pytest.mark.parametrize("treatments", [2, 3, 4])
def test_balanced_positions_bear_a_drift(treatments: int) -> None:
    held, wrong = _held(lambda study, block: balanced(range(treatments), study, block), treatments)
    assert held >= 0.95
    assert wrong == 0


def test_one_fixed_order_does_not() -> None:
    held, _ = _held(lambda study, block: (0, 1), 2)
    assert held < 0.8
