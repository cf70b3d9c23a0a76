"""Switches something on and off while one load runs, and compares neighbouring windows of it.

Starts, logins and warm-ups, which differ more from each other than what is looked for, happen once, before.
"""

from __future__ import annotations

import random
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from assay.base.inner_path import InnerPath
from assay.base.tally import decode_many, merge
from assay.design.folder import WHOLE, Event, Hello, Interval, PhaseStart, read_events

from benchmarks.child import ContestantFailed
from benchmarks.rows import Figures

_AHEAD_NS = 10_000_000
"""How long before an interval's end a switch is turned: what it sets off lies in the intervals that count."""
_LOOK_S, _LIMIT_S = 0.05, 180.0

Found = TypeVar("Found")


@dataclass(frozen=True)
class Plan:
    """How many pairs of windows a load has, and their length, several of the load's intervals."""

    pairs: int
    window_s: float

    @property
    def seconds(self) -> float:
        """How long the load must be."""
        return 2 * self.pairs * self.window_s


@dataclass(frozen=True)
class Window:
    """A stretch of a load between two switches, on the monotonic clock, and the processor time that was
    used in it by whatever is looked at.
    """

    name: str
    turn: int
    start_ns: int
    end_ns: int
    used_s: float


def awaited(process: subprocess.Popen[bytes], find: Callable[[], Found | None]) -> Found:
    """Returns what is found while a process runs. Raises ContestantFailed where it ends before, or it takes
    too long.
    """
    end = time.monotonic() + _LIMIT_S
    while process.poll() is None and time.monotonic() < end:
        if (found := find()) is not None:
            return found
        time.sleep(_LOOK_S)
    raise ContestantFailed("the load has not begun")


def alternated(
    process: subprocess.Popen[bytes],
    events: Path,
    plan: Plan,
    names: tuple[str, str],
    switch: Callable[[str], None],
    used_s: Callable[[], float],
) -> list[Window]:
    """Turns the switch to one name and the other, in pairs, while the load of a process is measured, whose
    events come into a file. `used_s` is a processor time so far.

    The order of each pair is drawn: whatever neighbouring pairs have in common then goes for either as often
    as against it, so that a test of signs or ranks holds.
    """
    edge_ns = awaited(process, lambda: _measured_from_ns(events)) - _AHEAD_NS
    _sleep_until(edge_ns)
    windows = []
    for turn in range(plan.pairs):
        for name in random.sample(names, len(names)):
            switch(name)
            began_ns, before_s = time.monotonic_ns(), used_s()
            edge_ns += round(plan.window_s * 1e9)
            _sleep_until(edge_ns)
            used = used_s() - before_s
            windows.append(Window(name, turn, began_ns, time.monotonic_ns(), used))
    return windows


def figures(windows: Sequence[Window], events: Path) -> Figures:
    """Returns the figures of each window, from those intervals of the load that lie wholly inside it: with
    names that `Samples.numbered` finds, which begin with whose they are.

    Raises ContestantFailed where a window has none: the load ended too early.
    """
    intervals = [
        (epoch_ns + event.start_ns, epoch_ns + event.end_ns, event)
        for epoch_ns, event in _placed(events)
        if isinstance(event, Interval) and event.phase == "measure"
    ]
    found = {}
    for window in windows:
        mine = [one for start, end, one in intervals if window.start_ns <= start and end <= window.end_ns]
        for figure, value in _of_window(window, mine).items():
            found[f"{window.name}, {figure} {window.turn}"] = value
    return found


def share(windows: Sequence[Window]) -> float:
    """Returns the share of a processor that was used in windows."""
    return sum(one.used_s for one in windows) * 1e9 / sum(one.end_ns - one.start_ns for one in windows)


def _of_window(window: Window, intervals: Sequence[Interval]) -> Figures:
    seconds = sum(one.end_ns - one.start_ns for one in intervals) / 1e9
    queries = sum(one.queries for one in intervals)
    if not queries:
        raise ContestantFailed("nothing happened in a window")
    times = [one.labels[WHOLE].service for one in intervals if WHOLE in one.labels]
    return {
        "qps": queries / seconds,
        "tps": sum(one.transactions for one in intervals) / seconds,
        "mean_ms": merge(decode_many(times)).mean / 1e6,
        "used_us": share([window]) * seconds * 1e6 / queries,
    }


def _measured_from_ns(events: Path) -> int | None:
    """Returns when the load's measured window begins, on the monotonic clock; None until it is told, which is
    ahead.
    """
    for epoch_ns, event in _placed(events):
        if isinstance(event, PhaseStart) and event.phase == "measure":
            return epoch_ns + event.start_ns
    return None


def _placed(events: Path) -> Iterator[tuple[int, Event]]:
    """Yields events with the epoch of their times on the monotonic clock."""
    epoch_ns = 0
    for event in read_events(InnerPath.of(events)) if events.exists() else ():
        if isinstance(event, Hello):
            epoch_ns = event.epoch_monotonic_ns
        yield epoch_ns, event


def _sleep_until(at_ns: int) -> None:
    time.sleep(max(0, at_ns - time.monotonic_ns()) / 1e9)
