"""The offset of another clock, and the bound within which the truth lies."""

from __future__ import annotations

import os
import random
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest
from assay.measurement.fleet.clock import (
    ClockOffset,
    ClockReading,
    ClockSpan,
    Exchange,
    answer_clock,
    best,
    read_clock,
)
from assay.measurement.fleet.doubts import fleet_doubts
from assay.testing import run_result
from examples import given, st

_MS = 10**6
_delays = st.integers(0, 20 * _MS)


@given(
    st.lists(st.tuples(_delays, _delays, st.integers(0, _MS)), min_size=1, max_size=64),
    st.integers(-(10**15), 10**15),
)
def test_the_truth_is_within_the_bound_however_unequal_the_ways(
    ways: list[tuple[int, int, int]], offset: int
) -> None:
    exchanges, now = [], 10**16
    for there, back, thinking in ways:
        heard = now + there + offset
        exchanges.append(Exchange(now, heard, heard + thinking, now + there + thinking + back))
        now += 10**7
    found = best(exchanges).offset
    assert abs(found.offset_ns - offset) <= found.bound_ns
    least = min(there + back for there, back, _ in ways)
    assert found.bound_ns <= least // 2 + 2


def test_a_thousand_trials_over_slow_and_unequal_ways_hold() -> None:
    """Delays of exponential length with a floor, up to 20 ms, one way slower than the other."""
    draw = random.Random(7)
    for _ in range(1000):
        offset, floor = draw.randrange(-(10**13), 10**13), draw.randrange(0, 5 * _MS)
        uneven = draw.random() * 20 * _MS
        exchanges = []
        for number in range(64):
            asked = 10**14 + number * 10**7
            there = floor + int(min(draw.expovariate(1 / _MS), 20 * _MS))
            back = floor + int(uneven) + int(min(draw.expovariate(1 / _MS), 20 * _MS))
            heard = asked + there + offset
            exchanges.append(Exchange(asked, heard, heard + 5_000, asked + there + 5_000 + back))
        found = best(exchanges).offset
        assert abs(found.offset_ns - offset) <= found.bound_ns


def test_between_two_readings_a_clock_is_a_line() -> None:
    before = ClockReading(10**9, ClockOffset(5_000, 300))
    after = ClockReading(11 * 10**9, ClockOffset(505_000, 200))
    span = ClockSpan(before, after)
    assert (span.drift_ppm, span.bound_ns) == (50.0, 300)
    assert [span.offset_at(at * 10**9) for at in (1, 6, 11)] == [5_000, 255_000, 505_000]
    assert ClockSpan(before, before).drift_ppm == 0.0


def test_a_clock_that_is_not_known_well_is_doubted() -> None:
    def span(bound_ns: int, moved_ns: int) -> ClockSpan:
        before, after = ClockOffset(7, bound_ns), ClockOffset(7 + moved_ns, 5)
        return ClockSpan(ClockReading(0, before), ClockReading(10 * 10**9, after))

    clocks = {"g1": span(_MS, 10**6), "g2": span(_MS + 1, 0), "g3": span(5, -1_000_010)}
    found = list(fleet_doubts([], run_result(), steady=None, clocks=clocks))
    assert [(doubt.kind, doubt.message[:3]) for doubt in found] == [
        ("clock-uncertain", "g2:"),
        ("clock-uncertain", "g3:"),
    ]


@contextmanager
def _answering(shift_ns: int) -> Iterator[socket.socket]:
    here, there = socket.socketpair()
    thread = threading.Thread(
        target=answer_clock, args=(there,), kwargs={"clock": lambda: time.monotonic_ns() + shift_ns}
    )
    thread.start()
    with closing(there), closing(here):
        yield here
        here.shutdown(socket.SHUT_RDWR)
        thread.join(10)


@pytest.mark.parametrize("shift_ns", [0, 3_600 * 10**9, -5 * 10**9])
def test_a_clock_is_read_over_a_connection(shift_ns: int) -> None:
    with _answering(shift_ns) as connection:
        found = read_clock(connection).offset
    assert abs(found.offset_ns - shift_ns) <= found.bound_ns


def test_a_connection_that_breaks_is_an_error() -> None:
    here, there = socket.socketpair()
    there.close()
    with closing(here), pytest.raises(ConnectionError):
        read_clock(here)


_ELSEWHERE = """
import socket, sys
from assay.measurement.fleet.clock import answer_clock
connection = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
answer_clock(connection)
"""


def test_a_process_with_another_monotonic_clock_is_found_out() -> None:
    """A time namespace gives a process a CLOCK_MONOTONIC of its own (time_namespaces(7))."""
    unshare = ["unshare", "--time", "--monotonic", "3600", "--fork"]
    if os.geteuid() or subprocess.run([*unshare, "true"], capture_output=True, check=False).returncode:
        pytest.skip("this machine lets nobody make a time namespace")
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        port = str(listener.getsockname()[1])
        with subprocess.Popen([*unshare, sys.executable, "-c", _ELSEWHERE, port]) as other:
            listener.settimeout(180)
            connection, _ = listener.accept()
            with closing(connection):
                found = read_clock(connection).offset
            other.wait(180)
    assert abs(found.offset_ns - 3_600 * 10**9) <= found.bound_ns
    assert found.bound_ns < 100 * _MS
