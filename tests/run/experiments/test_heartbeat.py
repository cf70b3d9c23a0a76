"""How far is a replica behind, from the beats that were sent and those that were seen?"""

from __future__ import annotations

import pytest
from assay.measurement.run.experiments.heartbeat import Heartbeat, lag_figures, note, seen_before

_MS = 1_000_000


def test_a_look_that_finds_a_beat_has_found_those_before_it() -> None:
    seen = {1: 10}
    note(seen, 1, 20)
    assert seen == {1: 10}
    note(seen, 4, 30)
    assert seen == {1: 10, 2: 30, 3: 30, 4: 30}
    note(seen, 0, 40)
    assert len(seen) == 4


def test_lag_is_that_of_the_slowest_replica() -> None:
    heart = Heartbeat(
        sent={1: 100 * _MS, 2: 200 * _MS, 3: 300 * _MS},
        seen=[{1: 101 * _MS, 2: 203 * _MS, 3: 301 * _MS}, {1: 105 * _MS, 2: 202 * _MS}],
    )
    assert heart.lags_ms(0, 999 * _MS) == [(100 * _MS, 5.0), (200 * _MS, 3.0)]
    assert heart.lags_ms(150 * _MS, 200 * _MS) == []
    trace = heart.trace(heart.lags_ms(0, 999 * _MS))
    assert (trace.name, trace.unit, trace.values) == ("lag", "ms", [5.0, 3.0])


def test_a_replica_has_caught_up_when_it_shows_the_last_beat_before() -> None:
    heart = Heartbeat(sent={1: 100, 2: 200, 3: 300}, seen=[{1: 150}, {1: 120, 2: 260, 3: 310}])
    assert heart.shown(0, at_ns=250) is None
    assert heart.shown(1, at_ns=250) == 260
    assert heart.shown(0, at_ns=199) == 150
    assert heart.shown(0, at_ns=50) is None


def test_a_beat_that_the_fault_held_up_is_not_steady() -> None:
    lags = [(100 * _MS, 5.0), (200 * _MS, 900.0), (300 * _MS, 800.0)]
    assert seen_before(lags, 250 * _MS) == [5.0]
    assert seen_before(lags, 105 * _MS) == []
    assert seen_before(lags, 1101 * _MS) == [5.0, 900.0, 800.0]


def test_figures_of_nothing_are_left_out() -> None:
    assert lag_figures([], []) == {}
    assert lag_figures([], [4.0]) == {"lag_max_ms": 4.0}
    assert lag_figures([1.0, 2.0], [1.0, 2.0, 9.0]) == {
        "lag_mean_ms": pytest.approx(1.5),
        "lag_max_ms": pytest.approx(9.0),
    }
