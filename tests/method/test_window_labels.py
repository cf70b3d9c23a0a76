"""Windows are called what they are; the whole table is in docs/method/steady.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from assay.results.stats import stall, steadiness
from assay.testing.windows import like_neighbours, planted


@pytest.mark.long
def test_windows_with_a_planted_course_are_called_what_they_are() -> None:
    random = np.random.default_rng(7)
    right: Counter[tuple[str, bool]] = Counter()
    stalls = 0
    for _ in range(3):
        for window in planted(random):
            rates = window.rates(random)
            right[window.label, steadiness(rates).label == window.label] += 1
            stalls += stall(rates) is not None
    wrong = sum(count for (_, hit), count in right.items() if not hit)
    assert wrong <= 0.05 * right.total()
    assert stalls <= 0.01 * right.total()
    for label in ("steady", "drifting", "cycling", "not reached"):
        assert right[label, True] >= 0.95 * (right[label, True] + right[label, False])


@pytest.mark.sampled(2)
@pytest.mark.parametrize("alike", [0.0, 0.5, 0.8, 0.95, 0.98])
@pytest.mark.parametrize("seconds", [20, 60, 300])
def test_level_windows_are_called_steady_however_alike_their_seconds_are(alike: float, seconds: int) -> None:
    """What is new in a second is 5 % here: at 0.98 the level wanders by a quarter, and is a level."""
    random = np.random.default_rng(int(seconds + 1000 * alike))
    sd = 0.05 / (1 - alike**2) ** 0.5
    levels = (1000 * (1 + like_neighbours(random, seconds, alike, sd)) for _ in range(150))
    steady = sum(steadiness(rates).label == "steady" for rates in levels)
    assert steady >= (0.89 if seconds == 20 else 0.93) * 150


@pytest.mark.sampled(1)
@pytest.mark.parametrize("change", [-0.2, 0.15, 0.3])
def test_drifts_are_found(change: float) -> None:
    random = np.random.default_rng(10)
    line = 1 + change * np.linspace(-0.5, 0.5, 60)
    found = [steadiness(1000 * line * (1 + random.normal(0, 0.03, 60))) for _ in range(100)]
    assert np.mean([f.label == "drifting" for f in found]) >= 0.95
    drifts = [f.change for f in found if f.label == "drifting"]
    assert np.mean(drifts) == pytest.approx(change, abs=0.02)


def test_a_cycle_has_its_period_and_its_swing() -> None:
    random = np.random.default_rng(11)
    teeth = 1 + 0.4 * (np.arange(300) / 45 % 1 - 0.5)
    found = steadiness(1000 * teeth * (1 + random.normal(0, 0.03, 300)))
    assert found.label == "cycling"
    assert found.period == pytest.approx(45, rel=0.03)
    assert found.swing == pytest.approx(0.4, abs=0.1)


@pytest.mark.parametrize(
    ("course", "label"),
    [
        (lambda t: 1 + 0 * t, "steady"),
        (lambda t: 1 + 0.2 * t / 7201, "drifting"),
        (lambda t: 1 - 0.5 * np.exp(-t / 1200), "not reached"),
        (lambda t: 1 + 0.3 * (t / 600 % 1), "cycling"),
    ],
)
def test_two_hours_are_judged_by_means_of_seconds(
    course: Callable[[np.ndarray], np.ndarray], label: str
) -> None:
    random = np.random.default_rng(14)
    found = steadiness(1000 * course(np.arange(7201)) * (1 + random.normal(0, 0.1, 7201)))
    assert found.label == label
    assert label != "cycling" or found.period == pytest.approx(600, rel=0.03)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("levels", [(1.0, 0.8), (1.0, 1.25), (1.0, 0.7, 1.0)])
def test_a_window_on_several_levels_is_not_steady(levels: tuple[float, ...]) -> None:
    random = np.random.default_rng(12)
    course = np.repeat(levels, 120 // len(levels))
    found = [steadiness(1000 * course * (1 + random.normal(0, 0.03, 120))).label for _ in range(40)]
    assert found.count("steady") <= 2


def test_a_stall_in_a_level_window_is_no_drift() -> None:
    random = np.random.default_rng(13)
    rates = 1000 * (1 + random.normal(0, 0.03, 60))
    rates[45:55] *= 0.2
    assert steadiness(rates).label == "steady"


def test_a_small_drift_is_no_alarm_however_sure() -> None:
    line = 1000 * (1 + 0.03 * np.linspace(-0.5, 0.5, 300))
    assert steadiness(line).label == "steady"


@pytest.mark.parametrize("rates", [[], [1.0], np.ones(9), np.zeros(60)])
def test_too_little_says_nothing(rates: list[float]) -> None:
    assert steadiness(rates).label == "too-short"


@pytest.mark.parametrize("rates", [np.ones(10), np.full(600, 1e6), [0.0] * 59 + [5.0], [1.0, 0.0] * 40])
def test_odd_windows_have_a_label(rates: list[float]) -> None:
    assert steadiness(rates).label in ("steady", "drifting", "cycling", "not reached")


@pytest.mark.parametrize("start", [5.0, 2.0, 0.2])
def test_no_course_falls_by_more_than_all_of_it(start: float) -> None:
    """An exponential that starts at five times its level falls by 80 %, not by four times its mean."""
    seconds = np.arange(300.0)
    rates = 100 + 100 * (start - 1) * np.exp(-seconds / 22)
    found = steadiness(rates * (1 + np.random.default_rng(3).normal(0, 0.01, 300)))
    assert found.label in ("not reached", "drifting")
    assert found.from_start > -1
    assert found.from_start > 0 if start < 1 else found.from_start == pytest.approx(1 / start - 1, abs=0.15)
