"""The clock of measurements: times of day that differ by what has truly passed in between.

The wall clock may be set while a run goes on, by hand, by NTP, or when a virtual machine is resumed. So it is
read once, when a run begins, and goes on with CLOCK_MONOTONIC, the engine's clock. A difference of two times
of one run is a duration; the times are the wall clock's as long as nobody sets it.
"""

from __future__ import annotations

import time

_ahead_ns = time.time_ns() - time.monotonic_ns()


def wall_ns() -> int:
    """Returns the present time in nanoseconds since 1970."""
    return wall_of(time.monotonic_ns())


def wall_of(monotonic_ns: int) -> int:
    """Returns the time of an instant of CLOCK_MONOTONIC of this machine, such as an engine's epoch."""
    return monotonic_ns + _ahead_ns


def follow_wall() -> None:
    """Reads the wall clock: to be called between runs, since times of before and after do not belong
    together.
    """
    global _ahead_ns
    _ahead_ns = time.time_ns() - time.monotonic_ns()


def stepped_s() -> float:
    """Returns by how many seconds the wall clock was set forward since it was followed; negative: back."""
    return (time.time_ns() - wall_ns()) / 1e9
