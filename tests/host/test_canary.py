"""The canary distinguishes a machine that changes from one that hiccups."""

from __future__ import annotations

import numpy as np
import pytest
from assay.system.host.sampler.canary import CanarySource, noisy_canary


def test_it_reads_its_own_cost() -> None:
    canary = CanarySource()
    readings = [canary.read() for _ in range(5)]
    assert all(values.keys() == {"cpu_us", "wall_us"} for values in readings)
    # A neighbour of the test machine may disturb some of them.
    assert 0 < min(values["cpu_us"] for values in readings) < 100_000
    assert canary.doubt() is None


@pytest.mark.parametrize("noise", [0.0, 0.05, 0.15])
def test_a_level_machine_is_not_doubted(noise: float) -> None:
    random = np.random.default_rng(1)
    assert noisy_canary((700 * np.exp(random.normal(0, noise, 120))).tolist()) is None


def test_hiccups_are_not_doubted() -> None:
    assert noisy_canary([700.0, 700.0, 5000.0, 700.0, 700.0] * 12) is None


@pytest.mark.parametrize("factor", [1.5, 0.5, 3.0])
def test_a_machine_that_changes_is_doubted(factor: float) -> None:
    doubt = noisy_canary([700.0] * 40 + [700.0 * factor] * 20)
    assert doubt is not None
    assert doubt.kind == "noisy-canary"
    assert doubt.value == pytest.approx(max(factor, 1 / factor))


def test_a_short_run_has_nothing_to_compare() -> None:
    assert noisy_canary([700.0] * 10 + [2000.0] * 9) is None


@pytest.mark.parametrize("readings", [[0.0] * 18 + [10_000.0] * 2, [10_000.0] * 20 + [0.0] * 10])
def test_a_clock_that_is_too_coarse_says_nothing(readings: list[float]) -> None:
    """Some kernels count a thread's processor time in steps of ten milliseconds: most readings are 0."""
    assert noisy_canary(readings) is None
