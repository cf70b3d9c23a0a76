"""What blocks can show: against the figures of simulated studies, and against studies simulated here."""

from __future__ import annotations

import numpy as np
import pytest
from assay.results.stats.intervals import t_quantile
from assay.results.stats.power import blocks_to_find, chance_of_same, detectable


@pytest.mark.parametrize(
    ("noise", "better", "differs"),
    [(0.005, 1.0305, 1.0105), (0.01, 1.041, 1.0205), (0.02, 1.063, 1.042), (0.05, 1.129, 1.107)],
)
def test_six_blocks_find_what_6000_simulated_studies_found(
    noise: float, better: float, differs: float
) -> None:
    assert detectable(noise, 6, 0.95, 0.02) == pytest.approx(better, abs=0.002)
    assert detectable(noise, 6, 0.95) == pytest.approx(differs, abs=0.002)


@pytest.mark.parametrize(("noise", "share"), [(0.01, 0.618), (0.05, 0.0)])
def test_alike_treatments_are_called_the_same_as_often_as_in_simulations(noise: float, share: float) -> None:
    assert chance_of_same(noise, 6, 0.95, 0.02) == pytest.approx(share, abs=0.02)


def test_the_power_is_what_it_says() -> None:
    noise, blocks, margin = 0.02, 9, 0.02
    ratio = detectable(noise, blocks, 0.95, margin)
    assert ratio is not None
    values = np.random.default_rng(3).normal(np.log(ratio), noise * 2**0.5, (20_000, blocks))
    half = t_quantile(0.975, blocks - 1) * values.std(axis=1, ddof=1) / blocks**0.5
    assert float(np.mean(values.mean(axis=1) - half > np.log1p(margin))) == pytest.approx(0.8, abs=0.01)


def test_more_blocks_find_less_and_one_finds_nothing() -> None:
    assert detectable(0.01, 1, 0.95) is None
    assert chance_of_same(0.01, 1, 0.95, 0.02) == 0.0
    needed = blocks_to_find(1.03, 0.01, 0.95, 0.02, 200)
    assert needed is not None
    assert detectable(0.01, needed, 0.95, 0.02) <= 1.03 < detectable(0.01, needed - 1, 0.95, 0.02)  # type: ignore[operator]
    assert blocks_to_find(1.02, 0.05, 0.95, 0.02, 200) is None
