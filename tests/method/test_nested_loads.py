"""Simulates the luck of loads: intervals over loads of the data hold the truth, and those over blocks do not.

`python tests/method/test_nested_loads.py` prints the table of docs/method/statistics.md.
"""

from __future__ import annotations

import numpy as np
import pytest
from assay.results.stats import Gate
from assay.results.verdict.comparisons import compare
from assay.results.verdict.data_loads import DataLoads
from assay.results.verdict.observations import Observations

GATE = Gate.of(0.95)
NOISE = 0.01  # of a single run


def compared(random: np.random.Generator, loads: int, blocks: int, luck: float) -> tuple[bool, str]:
    """Whether the interval of two equal treatments with data of their own holds 1, and the word for them."""
    drawn = random.normal(0, luck, (2, loads))
    load_of = {block: (block - 1) % loads for block in range(1, blocks + 1)}
    of_blocks = random.normal(0, 0.05, blocks)
    values = {
        ("tps", name, 1.0): {
            block: float(np.exp(of_blocks[block - 1] + drawn[side, load] + random.normal(0, NOISE)))
            for block, load in load_of.items()
        }
        for side, name in enumerate("ab")
    }
    data = DataLoads(
        {name: {block: frozenset({f"{name}{load}"}) for block, load in load_of.items()} for name in "ab"}
    )
    found = compare(Observations(values, {"tps": "1/s"}, data=data), ("tps", "a", "b", 1.0), 0.02, GATE)
    assert found is not None
    assert found.low is not None
    assert found.high is not None
    return found.low <= 1 <= found.high, found.word


def rates(loads: int, blocks: int, luck: float, studies: int) -> tuple[float, float]:
    """Shares of studies whose interval holds the truth, and that say "better" or "worse" of equals."""
    random = np.random.default_rng([loads, blocks, round(1000 * luck)])
    found = [compared(random, loads, blocks, luck) for _ in range(studies)]
    wrong = sum(word in ("better", "worse") for _, word in found)
    return sum(holds for holds, _ in found) / studies, wrong / studies


@pytest.mark.long
@pytest.mark.parametrize(("loads", "blocks"), [(3, 6), (3, 9), (6, 30)])
@pytest.mark.parametrize("luck", [0.01, 0.05])
def test_intervals_over_loads_hold_the_truth(loads: int, blocks: int, luck: float) -> None:
    covered, wrong = rates(loads, blocks, luck, 250)
    assert 0.91 <= covered <= 0.99  # 95 %, with 2.8 standard errors of so few studies
    assert wrong <= 0.06


def test_intervals_over_blocks_of_one_load_do_not() -> None:
    assert rates(1, 10, 0.03, 100)[0] < 0.5


if __name__ == "__main__":
    for luck in (0.0, 0.01, 0.03, 0.05):
        for loads, blocks in ((1, 6), (1, 30), (3, 6), (3, 9), (3, 30), (6, 6), (6, 30)):
            covered, wrong = rates(loads, blocks, luck, 2000)
            print(f"{luck:.0%} {loads} loads {blocks} blocks: {covered:.1%} {wrong:.1%}", flush=True)
