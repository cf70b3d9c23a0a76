"""The engine says whether the warm-up of a fleet is over: the same rule as for a load of one engine."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

import pytest
from assay.base.errors import HostError
from assay.base.format.job import NoneWarmup, Phases, UntilSteadyWarmup
from assay.system.engine import warmup_answers

_S = 10**9


def _outcomes(rate: Callable[[int], float], *, tolerance: float = 0.05, cap_s: int = 20) -> list[bool | None]:
    """Returns the answers second by second, up to the end of the warm-up."""
    warmup = UntilSteadyWarmup(window_ms=6_000, tolerance=tolerance, cap_ms=cap_s * 1000)
    found = []
    with warmup_answers(Phases(warmup=warmup, measure_ms=6_000)) as answers:
        for second in range(1, cap_s + 1):
            found.append(answers.outcome(second * _S + 1, [(second * _S, rate(second))]))
            if found[-1] is not None:
                break
    return found


@pytest.mark.parametrize(
    ("rate", "tolerance", "seconds", "steady"),
    [
        (lambda t: 1000.0, 0.05, 6, True),
        (lambda t: 1000.0 + (-1) ** t * 15, 0.05, 6, True),
        (lambda t: 1000.0 * min(t / 8, 1.0), 0.05, 13, True),  # the ramp has left the window but for its end
        (lambda t: 1000.0 + 20.0 * t, 0.05, 20, False),
        (lambda t: 1000.0 + 20.0 * t, 0.15, 6, True),
        (lambda t: 0.0, 0.05, 20, False),  # nothing is known of a load that does nothing
        (lambda t: 1000.0 + (t * 7 % 17 - 8) * 60.0, 0.05, 20, True),  # neither level nor surely changing
    ],
)
def test_a_warm_up_ends_at_a_level_or_at_its_cap(
    rate: Callable[[int], float], tolerance: float, seconds: int, steady: bool
) -> None:
    assert _outcomes(rate, tolerance=tolerance) == [None] * (seconds - 1) + [steady]


def test_rates_may_come_late_and_together() -> None:
    warmup = UntilSteadyWarmup(window_ms=6_000, cap_ms=20_000)
    with warmup_answers(Phases(warmup=warmup, measure_ms=6_000)) as answers:
        assert answers.outcome(3 * _S, []) is None
        assert answers.outcome(6 * _S, [(second * _S, 500.0) for second in range(1, 7)]) is True


def test_other_warm_ups_have_no_answer() -> None:
    with warmup_answers(Phases(warmup=NoneWarmup())) as answers, pytest.raises(HostError) as caught:
        answers.outcome(1, [])
    assert caught.value.message == "assay-engine does not say whether the warm-up is over"
    assert caught.value.detail is not None
    assert "it must be until_steady" in caught.value.detail


def test_an_engine_that_was_killed_is_no_answer() -> None:
    with warmup_answers(Phases(warmup=UntilSteadyWarmup())) as answers:
        os.kill(answers.pid, signal.SIGKILL)
        with pytest.raises(HostError, match="does not say"):
            answers.outcome(1, [])
