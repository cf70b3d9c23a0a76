"""Time left, in numbers and words."""

from __future__ import annotations

import pytest
from assay.base.wording import duration
from assay.front.terminal import progress
from assay.front.terminal.progress import Clock


class Time:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    standing = Time()
    monkeypatch.setattr(progress, "time", standing)
    return standing


def test_the_guess_gives_way_to_what_runs_took(time: Time) -> None:
    clock = Clock(4, loading_s=10.0, run_s=5.0)
    assert clock.left_s() == 30.0
    time.now += 4
    assert clock.left_s() == 26.0
    clock.run_started()
    assert clock.left_s() == 20.0
    time.now += 8
    assert clock.left_s() == 15.0
    clock.run_finished()
    assert clock.left_s() == 3 * 8.0
    assert clock.share() == pytest.approx(12 / 36)


def test_what_takes_longer_than_planned_is_not_counted_down_on_what_follows(time: Time) -> None:
    clock = Clock(2, loading_s=10.0, run_s=60.0, judging_s=30.0)
    assert clock.left() == "about 2 min 40 s left"
    time.now += 70
    assert (clock.left_s(), clock.left()) == (150.0, "1 min 10 s so far, then about 2 min 30 s")
    time.now += 600
    assert clock.left_s() == 150.0
    clock.run_started()
    time.now += 65
    assert clock.left() == "1 min 05 s so far, then about 1 min 30 s"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(7.4, "7 s"), (200, "3 min 20 s"), (7500, "2 h 05 min"), (59.7, "1 min"), (66, "1 min 06 s")],
)
def test_words(seconds: float, words: str) -> None:
    assert duration(seconds) == words
