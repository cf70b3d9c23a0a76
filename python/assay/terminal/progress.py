"""Shows the progress of a study: a live display on a terminal, plain lines elsewhere."""

from __future__ import annotations

import time

from rich.console import Console

from assay.folder import Event, Failure
from assay.printable import line, shortened
from assay.wording import counted, duration


class Clock:
    """Estimates the time left, from the plan's estimate for each run and the duration of finished ones."""

    def __init__(self, runs: int, loading_s: float, run_s: float) -> None:
        self._ahead = runs
        self._run_s = run_s
        self._taken: list[float] = []
        self._current_s = loading_s  # planned length of what is done now
        self._began = self._since = time.monotonic()
        self._under_way = 0

    def run_started(self) -> None:
        """Marks the start of a run."""
        if not self._under_way:  # of several, the time from one's end to the next one's counts
            self._since, self._current_s = time.monotonic(), self._run_s
        self._under_way += 1
        self._ahead -= 1

    def run_finished(self) -> None:
        """Marks the end of a run."""
        self._under_way -= 1
        self._taken.append(time.monotonic() - self._since)
        self._run_s, self._current_s = sum(self._taken) / len(self._taken), 0.0
        self._since = time.monotonic()

    def left_s(self) -> float:
        """Returns the estimated seconds until the study ends."""
        current = max(self._current_s - (time.monotonic() - self._since), 0.0)
        return current + self._ahead * self._run_s

    def share(self) -> float:
        """Returns the share of the estimated time that has passed, between 0 and 1."""
        over = time.monotonic() - self._began
        return over / (over + self.left_s()) if over > 0 else 0.0


def head(runs: int, done: int, left_s: float) -> str:
    """Returns the first line of a study: `12 runs, 3 of them done before; about 2 min 16 s to go`."""
    already = f", {done} of them done before" if done else ""
    return f"{counted(runs, 'run')}{already}; about {duration(left_s)} to go"


class PlainProgress:
    """Prints one line a run without escape codes, for logs and pipes."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._runs = 0
        self._began: dict[str, float] = {}

    def begin(self, *, runs: int, done: int, loading_s: float, run_s: float) -> None:
        self._runs = runs
        self._say(head(runs, done, loading_s + (runs - done) * run_s))

    def run_started(self, run_id: str, number: int) -> None:
        self._began[run_id] = time.monotonic()
        self._say(f"[{number}/{self._runs}] {run_id}")

    def step(self, what: str) -> None:
        pass

    def event(self, event: Event) -> None:
        pass

    def run_finished(self, run_id: str, *, headline: str, failure: Failure | None) -> None:
        taken = duration(time.monotonic() - self._began.pop(run_id, time.monotonic()))
        which = f"{run_id}: " if self._began else ""
        said = f"FAILED: {line(failure.message)}" if failure else headline
        self._say(f"        {which}{said} ({taken})")
        if failure is not None and failure.detail:
            for one in shortened(failure.detail).splitlines():
                self._say(f"          {line(one)}")

    def note(self, message: str) -> None:
        self._say(message)

    def end(self) -> None:
        pass

    def _say(self, text: str) -> None:
        self._console.print(text, markup=False, highlight=False, soft_wrap=True)
