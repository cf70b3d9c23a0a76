"""The time that a study still takes, as a range."""

from __future__ import annotations

import random

import pytest
from assay.reporting.live import time_left


def test_before_the_first_run_it_is_the_plans_guess() -> None:
    left = time_left(["a", "b", "a"], {}, planned_s=10.0, loading_s=30.0)
    assert (left.seconds, left.low, left.high, left.guess) == (60.0, None, None, True)


def test_each_run_counts_as_its_treatment_took() -> None:
    left = time_left(["slow", "fast", "new"], {"slow": [100.0, 102.0], "fast": [10.0]}, planned_s=1.0)
    assert left.seconds == pytest.approx(101 + 10 + 100)
    assert not left.guess
    assert left.low is not None
    assert left.high is not None
    assert left.low < left.seconds < left.high


def test_the_run_under_way_counts_what_is_left_of_it() -> None:
    took = {"a": [20.0, 20.0]}
    assert time_left(["a", "a"], took, planned_s=0, elapsed_s=15).seconds == pytest.approx(25)
    assert time_left(["a", "a"], took, planned_s=0, elapsed_s=90).seconds == pytest.approx(20)
    assert time_left([], took, planned_s=0).seconds == 0


def test_what_widens_the_range() -> None:
    took = {"a": [20.0, 21.0, 19.5]}
    plain = time_left(["a"] * 6, took, planned_s=0)
    assert plain.high is not None
    for wider in (
        time_left(["a"] * 6, took, planned_s=0, may_widen=True),
        time_left(["a"] * 6, took, planned_s=0, failed=1),
        time_left(["a"] * 6, {"a": [20.0, 30.0, 12.0]}, planned_s=0),
    ):
        assert wider.high is not None
        assert wider.high > plain.high


def test_most_studies_end_within_the_range() -> None:
    """Simulated: runs vary by 5 %; half of twelve are over."""
    draw = random.Random(1)
    inside = 0
    for _ in range(400):
        lengths = [60 * draw.lognormvariate(0, 0.05) for _ in range(12)]
        left = time_left(["a"] * 6, {"a": lengths[:6]}, planned_s=0)
        assert left.low is not None
        assert left.high is not None
        inside += left.low <= sum(lengths[6:]) <= left.high
    assert 0.85 <= inside / 400 <= 0.995
