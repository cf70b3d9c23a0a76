"""A run that drifts while it goes from rung to rung: what the order of rungs does to a row of them."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest
from assay.design.plan import make_plan
from assay.design.study import Design, Load, RungOrder, ServerChoice, Study, WorkloadChoice
from assay.results.stats import paired_ratio
from numpy.typing import NDArray

STUDIES, BLOCKS, NOISE = 500, 6, 0.01
THREADS = (1, 2, 4, 8, 16)

COLD = np.array([-0.05, 0, 0, 0, 0])
"""By position: only the first rung of a run is slower, as on a cold cache."""


def steps(each: float) -> NDArray[np.float64]:
    """By position: the run loses this share from one rung to the next."""
    return -each * np.arange(len(THREADS))


def positions(order: RungOrder, seed: int) -> NDArray[np.int64]:
    """Where each rung stands in the runs of each block, by the plan."""
    study = Study(
        name="a",
        server=ServerChoice(use="mariadb"),
        workload=WorkloadChoice(use="a"),
        load=Load(threads=THREADS, order=order),
        design=Design(blocks=BLOCKS),
    )
    return np.array([[run.loads.index(load) for load in THREADS] for run in make_plan(study, seed=seed).runs])


def held(
    order: RungOrder, drift: NDArray[np.float64], rung: int, than: int, studies: int = STUDIES
) -> tuple[float, float, float]:
    """The ratio of two rungs that are equal in truth, when a run changes by position as `drift` says.

    How often its 95 % interval holds 1; its geometric mean; how often it lies outside a margin of 2 %.
    """
    random = np.random.default_rng(1)
    found = []
    for seed in range(studies):
        logs = drift[positions(order, seed)] + random.normal(0, NOISE, (BLOCKS, len(THREADS)))
        found.append(paired_ratio(np.exp(logs[:, than]), np.exp(logs[:, rung])))
    return (
        float(np.mean([one.low <= 1 <= one.high for one in found])),
        float(np.exp(np.mean([np.log(one.ratio) for one in found]))),
        float(np.mean([one.low > 1.02 or one.high < 1 / 1.02 for one in found])),
    )


@pytest.mark.sampled(1)
@pytest.mark.parametrize("order", ["shuffled", "alternating", "as-written"])
def test_without_a_drift_every_order_holds(order: RungOrder) -> None:
    assert 0.93 <= held(order, steps(0), 4, 0)[0] <= 0.97


@pytest.mark.sampled(1)
@pytest.mark.parametrize("drift", [steps(0.01), COLD], ids=["steps", "cold"])
@pytest.mark.parametrize("rung", [2, 4])
def test_shuffled_rungs_bear_a_drift(drift: NDArray[np.float64], rung: int) -> None:
    covered, ratio, wrong = held("shuffled", drift, rung, 0)
    assert covered >= 0.93
    assert ratio == pytest.approx(1, abs=0.002)
    assert wrong <= 0.01


def test_rungs_as_written_pass_a_drift_off_as_scaling() -> None:
    covered, ratio, wrong = held("as-written", steps(0.01), 4, 0)
    assert covered < 0.05
    assert ratio == pytest.approx(np.exp(-0.04), abs=0.002)
    assert wrong > 0.2


def test_alternating_rungs_bear_steps_and_no_cold_start() -> None:
    """The middle of the ladder is never first, and its ends are in turn."""
    covered, ratio, _ = held("alternating", steps(0.01), 4, 0)
    assert covered >= 0.93
    assert ratio == pytest.approx(1, abs=0.002)
    assert held("alternating", COLD, 2, 0)[1] > 1.02


if __name__ == "__main__":
    drifts = {f"{100 * each:g} %": steps(each) for each in (0, 0.005, 0.01, 0.02)} | {"cold": COLD}
    for name, drift in drifts.items():
        for order in get_args(RungOrder):
            for rung in (2, 4):
                covered, ratio, wrong = held(order, drift, rung, 0, studies=2000)
                print(f"{name:6} {order:12} {THREADS[rung]}/1: {covered:.1%} {ratio:.3f} {wrong:.1%}")
