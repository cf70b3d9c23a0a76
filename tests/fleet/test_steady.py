"""The rule of level throughput is the engine's own: the cases of its tests, with the same outcomes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from assay.base.format.job import NoneWarmup, Phases, UntilSteadyWarmup
from assay.measurement.fleet.steady import SteadyRule

_S = 10**9


def _series(rate: Callable[[float], float]) -> list[tuple[int, float]]:
    return [(second * _S, rate(float(second))) for second in range(1, 21)]


def _rule(window_s: int = 10, measure_s: int = 10, tolerance: float = 0.05, cap_s: int = 120) -> SteadyRule:
    warmup = UntilSteadyWarmup(window_ms=window_s * 1000, tolerance=tolerance, cap_ms=cap_s * 1000)
    rule = SteadyRule.of(Phases(warmup=warmup, measure_ms=measure_s * 1000))
    assert rule is not None
    return rule


@pytest.mark.parametrize(
    ("tolerance", "level", "rate"),
    [
        (0.001, True, lambda t: 500.0),
        (0.05, True, lambda t: 1000.0 + 4.0 * t),
        (0.05, False, lambda t: 1000.0 + 6.0 * t),
        (0.05, False, lambda t: 1000.0 - 6.0 * t),
        (0.1, True, lambda t: 1000.0 + 6.0 * t),
        (0.05, False, lambda t: 1100.0 if t > 15.0 else 1000.0),
        (0.05, True, lambda t: 1100.0 if t > 10.0 else 1000.0),
        (0.05, False, lambda t: 0.0 if t > 15.0 else 1000.0),
        (0.05, True, lambda t: 1000.0 + (15.0 if t % 2 == 0 else -15.0)),
        (0.05, True, lambda t: 1000.0 * min(t / 8.0, 1.0)),
        (0.05, False, lambda t: 0.0),
    ],
)
def test_series_and_tolerances(tolerance: float, level: bool, rate: Callable[[float], float]) -> None:
    assert _rule(tolerance=tolerance).is_level(_series(rate)) is level


def test_a_window_that_the_load_has_not_filled_yet_is_not_judged() -> None:
    flat = _series(lambda t: 1000.0)
    assert [_rule().is_level(flat[:seconds]) for seconds in (0, 4, 5, 9, 10, 20)] == [False] * 4 + [True] * 2


def test_a_slope_is_judged_by_what_it_does_to_the_measured_window() -> None:
    slow = _series(lambda t: 1000.0 + 4.0 * t)
    assert [_rule(measure_s=s).is_level(slow) for s in (5, 10, 20, 600)] == [True, True, False, False]


@pytest.mark.parametrize(
    ("window", "measure", "cap", "expected"),
    [
        (0, 10, 120, (30, 10, 5)),
        (0, 60, 120, (30, 60, 5)),
        (0, 100, 120, (50, 100, 5)),
        (0, 600, 120, (120, 600, 5)),
        (0, 60, 12, (12, 60, 2)),
        (0, 0, 120, (30, 30, 5)),
        (6, 60, 120, (6, 60, 1)),
    ],
)
def test_the_rule_follows_from_the_phases(
    window: int, measure: int, cap: int, expected: tuple[int, int, int]
) -> None:
    rule, (length, horizon, look) = _rule(window, measure, cap_s=cap), expected
    assert (rule.window_ns, rule.horizon_ns, rule.cap_ns) == (length * _S, horizon * _S, cap * _S)
    assert (rule.look(look * _S - 1), rule.look(look * _S)) == (0, 1)


def test_any_other_warm_up_has_no_rule() -> None:
    assert SteadyRule.of(Phases(warmup=NoneWarmup())) is None


def test_at_the_cap_only_a_sure_change_is_one() -> None:
    rule = _rule(0, 600, cap_s=20)
    noisy = _series(lambda t: 1000.0 + 50.0 * ((t * 7.0) % 5.0 - 2.0) + t)
    assert not rule.is_level(noisy)
    assert not rule.is_changing(noisy)
    assert rule.is_changing(_series(lambda t: 1000.0 + 5.0 * t))
    assert rule.is_changing(_series(lambda t: 0.0))
    assert rule.is_changing([])
