"""Watches the load of a profile window while an engine carries it out: first the sources of the main stretch,
then those of the tail, then those that count.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from assay.base import clock
from assay.base.decoding import UNREADABLE, why_unreadable
from assay.base.errors import AssayError
from assay.design.folder import Event, Hello, PhaseStart, ProfileSource
from assay.measurement.run.profile.watcher import Stage, Watched, Watcher, missing
from assay.system.host import processes

TAIL_S = 3.0
"""Sources of the tail record every event: on a busy server some megabytes a second."""
BEGINNING_S = 3.0
"""Time for sources to begin: perf takes up to a second on a machine that is fully used."""

COUNTING_S = 5.0
"""The server counts its own waits, which costs it time: long enough for statements that are rare."""

_ORDER: tuple[Stage, ...] = ("main", "tail", "counting")
_LONGEST_S: dict[Stage, float] = {"tail": TAIL_S, "counting": COUNTING_S}


@dataclass(frozen=True)
class Bounds:
    """The ends of a stretch, with the server's CPU time between; `cut`: the load ended before it."""

    begin_wall_ns: int
    end_wall_ns: int
    server_cpu_us: float | None
    server_kernel_us: float | None
    cut: bool


@dataclass
class Stages:
    """Runs the sources of all stages in a thread of its own, from the start of the load's window on.

    `seen` is called after the last stage, while the load may still go on: nothing more is watched of it, and
    `complete` is true from then on.
    """

    watched: Watched
    watchers: Sequence[Watcher]
    seconds: float
    seen: Callable[[], None] = lambda: None
    bounds: dict[Stage, Bounds] = field(default_factory=dict)
    lacking: dict[str, ProfileSource] = field(default_factory=dict)
    """Sources that are missing, by name."""

    def __post_init__(self) -> None:
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="profile window", daemon=True)
        self._begun = False
        self.complete = False
        self._epoch_wall_ns: int | None = None
        self._opens_wall_ns = 0

    @property
    def load_s(self) -> float:
        """The length of the load that the stretches need at most."""
        return sum(BEGINNING_S + self._length_s(stage) for stage in self._stages())

    def prepare(self) -> None:
        """Gets the sources ready, before the load is sent."""
        for one in self.watchers:
            self._try(one, partial(one.prepare, self.watched))

    def hear(self, event: Event) -> None:
        """Takes in an event of the engine: the window's start, which it says beforehand, begins the first
        stage.
        """
        if isinstance(event, Hello):
            self._epoch_wall_ns = event.epoch_wall_ns
        elif isinstance(event, PhaseStart) and event.phase == "measure" and not self._begun:
            if self._epoch_wall_ns is not None:
                self._opens_wall_ns = self._epoch_wall_ns + event.start_ns
            self._begun = True
            self._thread.start()

    def close(self) -> None:
        """Ends what still watches, once the load is over."""
        self._over.set()
        if self._begun:
            self._thread.join()
        for one in self.watchers:
            if one.stage not in self.bounds or one.source in self.lacking:
                one.abandon()

    def read(self) -> dict[str, ProfileSource]:
        """Returns what each source read, or why it is missing."""
        for one in self.watchers:
            if one.source not in self.lacking and one.stage not in self.bounds:
                self.lacking[one.source] = missing("the load ended before this source could begin")
        return {one.source: self.lacking.get(one.source) or self._read(one) for one in self.watchers}

    def _read(self, one: Watcher) -> ProfileSource:
        return _tried(lambda: one.read(self.watched)) or ProfileSource()

    def _stages(self) -> list[Stage]:
        return [stage for stage in _ORDER if any(one.stage == stage for one in self.watchers)] or ["main"]

    def _length_s(self, stage: Stage) -> float:
        return min(_LONGEST_S.get(stage, self.seconds), self.seconds)

    def _watch(self) -> None:
        self._over.wait(max(0.0, (self._opens_wall_ns - clock.wall_ns()) / 1e9))
        for stage in self._stages():
            if self._over.is_set():
                return
            mine = [one for one in self.watchers if one.stage == stage]
            for one in mine:
                if one.source not in self.lacking:
                    self._try(one, partial(one.begin, self.watched))
            before, began = self._cpu_us(), clock.wall_ns()
            cut = self._over.wait(self._length_s(stage))
            ended, after = clock.wall_ns(), self._cpu_us()
            for one in mine:
                if one.source not in self.lacking:
                    self._try(one, one.end)
            grown = None if before is None or after is None else (after - before).tolist()
            whole, kernel = (None, None) if grown is None else (sum(grown), grown[1])
            self.bounds[stage] = Bounds(began, ended, whole, kernel, cut)
        if not self._over.is_set():
            self.complete = True
            self.seen()

    def _try(self, one: Watcher, step: Callable[[], None]) -> None:
        if (why := _tried(step)) is not None:
            self.lacking[one.source] = why

    def _cpu_us(self) -> NDArray[np.float64] | None:
        """Returns the server's CPU time outside and inside the kernel; None where nobody sees it."""
        if self.watched.pid is None:
            return None
        read = processes({"server": self.watched.pid}).read()
        found = [read.get(f"server.{one}_us_total") for one in ("user", "system")]
        return None if None in found else np.array(found, dtype=np.float64)


def _tried(step: Callable[[], ProfileSource | None]) -> ProfileSource | None:
    """Returns what a step returns; what it raises becomes a missing source."""
    try:
        return step()
    except AssayError as error:
        return missing(error.message, error.hint)
    except OSError as error:
        return missing(str(error.strerror or error))
    except UNREADABLE as error:
        return missing(why_unreadable(error))
