"""Do the intervals hold the truth as often as they say? Simulated studies with lognormal block effects."""

from __future__ import annotations

import numpy as np
import pytest
from assay.results.stats.intervals import geometric_interval, mean_interval
from assay.results.stats.paired import paired_ratio

STUDIES = 2000


@pytest.mark.parametrize("blocks", [6, 10, 20])
def test_geometric_interval_holds_the_true_median(blocks: int) -> None:
    random = np.random.default_rng(blocks)
    draws = 1000 * np.exp(random.normal(0, 0.1, size=(STUDIES, blocks)))
    found = [geometric_interval(row) for row in draws]
    assert 0.93 <= np.mean([i.low <= 1000 <= i.high for i in found]) <= 0.97


@pytest.mark.parametrize("confidence", [0.8, 0.9, 0.99])
def test_other_confidences_are_kept_too(confidence: float) -> None:
    random = np.random.default_rng(7)
    found = [mean_interval(row, confidence) for row in random.normal(5, 2, size=(STUDIES, 8))]
    held = np.mean([i.low <= 5 <= i.high for i in found])
    assert held == pytest.approx(confidence, abs=3 * (confidence * (1 - confidence) / STUDIES) ** 0.5)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("blocks", [3, 6, 12])
@pytest.mark.parametrize("ratio", [1.0, 1.1, 0.5])
def test_paired_interval_holds_the_true_ratio_whatever_blocks_do(blocks: int, ratio: float) -> None:
    random = np.random.default_rng(int(blocks * 100 * ratio))
    # Restarts move everything by 10 %; what is left between two runs of a block is 1 %.
    block = random.normal(0, 0.10, size=(STUDIES, blocks))
    baseline = 900 * np.exp(block + random.normal(0, 0.01, size=block.shape))
    other = ratio * 900 * np.exp(block + random.normal(0, 0.01, size=block.shape))
    found = [paired_ratio(a, b) for a, b in zip(baseline, other, strict=True)]
    assert 0.93 <= np.mean([f.low <= ratio <= f.high for f in found]) <= 0.97


def test_pairing_takes_block_noise_out() -> None:
    random = np.random.default_rng(3)
    block = random.normal(0, 0.10, size=6)
    a, b = (np.exp(block + random.normal(0, 0.01, 6)) for _ in range(2))
    paired = paired_ratio(a, b)
    alone = geometric_interval(a)
    assert paired.high / paired.low < (alone.high / alone.low) ** 0.5


@pytest.mark.parametrize("tail", ["heavy", "skewed"])
def test_paired_interval_bears_noise_that_is_not_normal(tail: str) -> None:
    random = np.random.default_rng(11)
    shape = (STUDIES, 8)
    noise = random.standard_t(4, shape) if tail == "heavy" else random.exponential(1, shape) - 1
    # Skewed noise on one side only is the worst case: a run that is now and then slow, never fast.
    found = [paired_ratio(np.ones(8), np.exp(0.02 * row)) for row in noise]
    assert np.mean([f.low <= 1 <= f.high for f in found]) >= 0.88
