"""Pauses between two measurements, and measures how busy the machine is meanwhile."""

from __future__ import annotations

import time
from pathlib import Path


def rest(seconds: float) -> float:
    """Sleeps, and returns the share of the processors that was busy meanwhile.

    The contestants have ended and the servers are idle, so this is load of other programs, and what a server
    still cleans up. The canary does not see it, as it counts its own CPU time. Source: /proc/stat, in ticks
    of 10 ms.
    """
    before = _ticks()
    time.sleep(seconds)
    return busy_share(before, _ticks())


def busy_share(before: tuple[int, int], after: tuple[int, int]) -> float:
    """Returns the busy share between two readings of (idle, all) ticks; 0 when no tick passed."""
    idle, passed = after[0] - before[0], after[1] - before[1]
    return 1 - idle / passed if passed > 0 else 0.0


def _ticks() -> tuple[int, int]:
    fields = [int(field) for field in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    return fields[3] + fields[4], sum(fields)
