"""The Universal Scalability Law on data without noise, and on data it must refuse."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from assay.results.stats.usl import fit_usl

LOADS = np.array([1, 2, 4, 8, 16, 32, 64, 128])


def law(n: np.ndarray, gamma: float, sigma: float, kappa: float) -> np.ndarray:
    return gamma * n / (1 + sigma * (n - 1) + kappa * n * (n - 1))


@pytest.mark.parametrize(
    ("gamma", "sigma", "kappa"), [(1000, 0.05, 0.0005), (3, 0.3, 0.01), (1e6, 0.0, 0.001), (50, 0.02, 0.0)]
)
def test_a_perfect_ladder_gives_its_parameters_back(gamma: float, sigma: float, kappa: float) -> None:
    found = fit_usl(LOADS, law(LOADS, gamma, sigma, kappa))
    assert found.gamma.value == pytest.approx(gamma)
    assert found.sigma.value == pytest.approx(sigma, abs=1e-6)
    assert found.kappa.value == pytest.approx(kappa, abs=1e-8)
    assert np.allclose(found.residuals, 0, atol=1e-9)


@pytest.mark.parametrize(("blocks", "has"), [(1, False), (4, False), (5, True)])
def test_few_blocks_give_an_estimate_without_interval(blocks: int, has: bool) -> None:
    found = fit_usl(LOADS, np.tile(law(LOADS, 100, 0.02, 0.0004), (blocks, 1)))
    assert [(i.low is not None) for i in (found.gamma, found.sigma, found.kappa, found.peak)] == [has] * 4
    assert str(found.peak).startswith("peak at 49")


def test_the_peak_is_where_throughput_is_most() -> None:
    found = fit_usl(LOADS, np.tile(law(LOADS, 100, 0.02, 0.0004), (5, 1)))
    assert found.peak.value == pytest.approx((0.98 / 0.0004) ** 0.5, rel=1e-6)
    assert str(found.peak) == "peak at 49 (49 to 49)"
    around = [found.throughput(found.peak.value * factor) for factor in (0.9, 1, 1.1)]
    assert max(around) == around[1]


@pytest.mark.parametrize("kappa", [0.0, 1e-7])
def test_a_curve_that_still_rises_has_no_peak_in_sight(kappa: float) -> None:
    found = fit_usl(LOADS, np.tile(law(LOADS, 100, 0.1, kappa), (6, 1)))
    assert not found.peak.in_sight
    assert str(found.peak) == "no peak in sight below 256"


def test_pure_queueing_does_not_scale_at_all() -> None:
    found = fit_usl(LOADS, np.full(LOADS.size, 700.0))
    assert (found.sigma.value, found.kappa.value) == pytest.approx((1, 0), abs=1e-6)


def test_it_is_not_asked_beyond_twice_the_data() -> None:
    found = fit_usl(LOADS, law(LOADS, 100, 0.1, 0.001))
    assert found.throughput(256) > 0
    for load in (257, 0.5):
        with pytest.raises(ValueError, match="fitted up to 128"):
            found.throughput(load)


@pytest.mark.parametrize(
    ("loads", "values"),
    [
        ([1, 2, 4], [1, 2, 3]),
        ([1, 2, 2, 4], [1, 2, 2, 3]),
        ([1, 2, 4, 8], [1, 2, 0, 3]),
        ([0, 1, 2, 4], [1] * 4),
    ],
)
def test_too_little_or_impossible_data_is_refused(loads: list[int], values: list[float]) -> None:
    with pytest.raises(ValueError, match=r"different loads|positive"):
        fit_usl(loads, values)


def test_a_law_that_misses_a_rung_by_a_tenth_gives_no_peak() -> None:
    """24 cores: throughput grows with threads up to there, and stays."""
    found = fit_usl(LOADS, np.tile(1000.0 * np.minimum(LOADS, 24), (6, 1)))
    load, residual = found.worst
    assert found.peak is None
    assert abs(residual) >= 0.10
    assert found.residuals[found.loads.index(load)] == residual


@pytest.mark.parametrize("rows", [[1000, 250, 60, 15], [1000, 249, 62, 15.4], [[1000, 250, 60, 15]] * 6])
def test_a_collapse_that_no_law_describes_is_refused_and_has_no_infinite_figures(rows: list[Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ValueError, match="does not fit"):
            fit_usl([16, 32, 64, 128], rows)


@pytest.mark.parametrize("power", [-0.9, -0.5, 0.0, 0.5, 1.0, 1.5])
def test_every_figure_of_a_fit_is_a_number(power: float) -> None:
    loads = np.array([16.0, 32, 64, 128])
    found = fit_usl(loads, 1000 * (loads / 16) ** power)
    assert np.isfinite([found.gamma.value, found.sigma.value, found.kappa.value, *found.residuals]).all()
