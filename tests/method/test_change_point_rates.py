"""Are steps of one and a half times the smallest change found, and nothing where nothing changes?"""

from __future__ import annotations

from scripts.change_points import simulated


def test_steps_are_found_within_one_build_and_noise_makes_none() -> None:
    for one in simulated(120):
        assert one.false_points <= 0.1, one  # ten times fewer than one in 100 builds
        assert one.found[1.03] >= 0.88, one  # 90 % and more in docs/method/history.md, from 1000 series
        assert one.found[1.02] <= 0.75, one  # at the threshold itself it is a coin: the threshold is in force


def test_a_rule_that_is_too_eager_or_too_slow_would_be_seen() -> None:
    eager = list(simulated(10, most_p=0.01, least=0.001))
    assert all(one.false_points > 0.1 for one in eager), eager
    slow = list(simulated(25, least=0.03))
    assert all(one.found[1.03] < 0.75 for one in slow)
