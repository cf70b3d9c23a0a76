"""p values against a region, and Benjamini and Hochberg's list of discoveries."""

from __future__ import annotations

import numpy as np
import pytest
from assay.results.stats import (
    Region,
    around,
    beyond_region_p,
    detectable_at,
    false_discovery,
    paired_ratio,
    position,
)

REGION = around(1.0, 0.02)


@pytest.mark.parametrize("seed", range(60))
def test_the_p_value_and_the_interval_decide_alike(seed: int) -> None:
    random = np.random.default_rng(seed)
    logs = random.normal(random.choice([-0.06, -0.03, 0.0, 0.02, 0.05]), 0.02, 6)
    found = paired_ratio(np.ones(6), np.exp(logs))
    assert None not in (found.low, found.high, found.log_sd)
    outside = position(found.low, found.high, REGION) in ("above", "below")
    assert (beyond_region_p(found.ratio, found.log_sd, 6, REGION) < 0.05) == outside


def test_both_directions_have_the_same_p_value_and_inside_there_is_none() -> None:
    up, down = (beyond_region_p(ratio, 0.02, 6, REGION) for ratio in (1.05, 1 / 1.05))
    assert up == pytest.approx(down)
    assert beyond_region_p(1.01, 0.02, 6, REGION) == 1
    assert beyond_region_p(1.05, 0.0, 6, REGION) == 0
    assert beyond_region_p(1.0, 0.0, 6, Region(1.0, 1.0)) == 1


def test_adjusted_p_values_are_those_of_the_paper() -> None:
    # Benjamini, Hochberg 1995, section 4.1: 15 comparisons, of which four are found at 0.05.
    p = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344]
    p += [0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0]
    q = false_discovery(p[::-1])[::-1]
    assert sum(one <= 0.05 for one in q) == 4
    assert q[3] == pytest.approx(0.0095 * 15 / 4)
    assert list(q) == sorted(q)


def test_no_p_value_and_one() -> None:
    assert false_discovery([]) == ()
    assert false_discovery([0.3]) == (0.3,)


def test_a_share_of_q_is_false_on_the_average() -> None:
    random = np.random.default_rng(9)
    shares = []
    for _ in range(400):
        truth = np.repeat([0.0, 0.1], (30, 10))
        logs = random.normal(truth, 0.03, (6, 40))
        p = [beyond_region_p(float(np.exp(x.mean())), float(x.std(ddof=1)), 6, Region(1, 1)) for x in logs.T]
        found = np.array(false_discovery(p)) <= 0.05
        shares.append(found[:30].sum() / max(found.sum(), 1))
        assert found[30:].any()
    assert np.mean(shares) < 0.055


def test_the_smallest_ratio_that_is_seen_grows_with_the_spread_and_is_1_without() -> None:
    assert detectable_at(0.0, 6, 0.95) == 1
    assert detectable_at(0.01 * 2**0.5, 6, 0.95) == pytest.approx(1.0205, abs=0.002)
    assert detectable_at(1000.0, 2, 0.95) == float("inf")
