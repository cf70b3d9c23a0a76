"""What a person sees while a study runs: a live display on a terminal, plain lines elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from rich.console import Console

from assay.folder import Event, Failure


class RunProgress(Protocol):
    """Told by the loop what happens; draws it."""

    def begin(self, *, runs: int, done: int, estimate: Callable[[int], float]) -> None:
        """`runs` in all, `done` of them before; `estimate(n)`: planned seconds of the first n to do."""

    def run_started(self, run_id: str, number: int) -> None:
        """A run begins; `number` counts from 1 over the whole plan."""

    def step(self, what: str) -> None:
        """What is done now: "restoring the dataset", "threads 8" …"""

    def event(self, event: Event) -> None:
        """Something the engine said."""

    def run_finished(self, run_id: str, *, headline: str, failure: Failure | None) -> None:
        """A run is over; `headline` sums up its rungs."""

    def note(self, message: str) -> None:
        """Something worth a line of its own."""

    def end(self) -> None:
        """Nothing follows."""


class Clock:
    """Time left: the plan's estimate, corrected by what the finished runs took."""

    def __init__(self, total_s: float) -> None:
        self.total_s = total_s
        self._planned_done_s = 0.0
        self._began = self._run_began = time.monotonic()
        self._taken_s = 0.0

    def run_started(self) -> None:
        """A run begins now."""
        self._run_began = time.monotonic()

    def run_finished(self, planned_s: float) -> None:
        """It is over."""
        self._planned_done_s += planned_s
        self._taken_s += time.monotonic() - self._run_began

    @property
    def _correction(self) -> float:
        return self._taken_s / self._planned_done_s if self._planned_done_s > 0 else 1.0

    def left_s(self) -> float:
        """Seconds until the study is over."""
        ahead = (self.total_s - self._planned_done_s) * self._correction
        return max(ahead - (time.monotonic() - self._run_began), 0.0)

    def share(self) -> float:
        """How much of the work is over, between 0 and 1."""
        current = min(
            (time.monotonic() - self._run_began) / self._correction, self.total_s - self._planned_done_s
        )
        return min((self._planned_done_s + current) / self.total_s, 1.0) if self.total_s > 0 else 1.0


def in_words(seconds: float) -> str:
    """`45 s`, `3 min 20 s`, `2 h 05 min`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"


class PlainProgress:
    """One line a run, no escape codes: for logs and pipes."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._runs = 0
        self._began = 0.0

    def begin(self, *, runs: int, done: int, estimate: Callable[[int], float]) -> None:
        self._runs = runs
        already = f", {done} of them done before" if done else ""
        self._say(f"{runs} runs{already}; about {in_words(estimate(runs - done))} to go")

    def run_started(self, run_id: str, number: int) -> None:
        self._began = time.monotonic()
        self._say(f"[{number}/{self._runs}] {run_id}")

    def step(self, what: str) -> None:
        pass

    def event(self, event: Event) -> None:
        pass

    def run_finished(self, run_id: str, *, headline: str, failure: Failure | None) -> None:
        taken = in_words(time.monotonic() - self._began)
        self._say(f"        {'FAILED: ' + failure.message if failure else headline} ({taken})")

    def note(self, message: str) -> None:
        self._say(message)

    def end(self) -> None:
        pass

    def _say(self, line: str) -> None:
        self._console.print(line, markup=False, highlight=False, soft_wrap=True)
