"""Shows the progress of a study: a live display on a terminal, plain lines elsewhere."""

from __future__ import annotations

import threading
import time

from rich.console import Console

from assay.base.printable import line, shortened
from assay.base.wording import counted, duration
from assay.design.folder import Event, Failure, Interval, PhaseStart, Progress
from assay.reporting.live import is_a_rate, second_of


class Clock:
    """Estimates the time left, from the plan's estimate for each run and the duration of finished ones."""

    def __init__(self, runs: int, loading_s: float, run_s: float, judging_s: float = 0.0) -> None:
        self._ahead = runs
        self._run_s, self._judging_s = run_s, judging_s
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
        return current + self._after_s()

    def left(self) -> str:
        """Returns the time left in words. What takes longer than was planned is not counted down on the time
        of what follows it.
        """
        passed = time.monotonic() - self._since
        if passed <= self._current_s + _LATE_S:
            return f"about {duration(self.left_s())} left"
        after_s = self._after_s()
        rest = f", then about {duration(after_s)}" if after_s >= 1 else ""
        return f"{duration(passed)} so far{rest}"

    def _after_s(self) -> float:
        return self._ahead * self._run_s + self._judging_s

    def share(self) -> float:
        """Returns the share of the estimated time that has passed, between 0 and 1."""
        over = time.monotonic() - self._began
        return over / (over + self.left_s()) if over > 0 else 0.0


_LATE_S = 1.0


def head(runs: int, done: int, left_s: float) -> str:
    """Returns the first line of a study: `12 runs, 3 of them done before; about 2 min 16 s to go`."""
    already = f", {done} of them done before" if done else ""
    return f"{counted(runs, 'run')}{already}; about {duration(left_s)} to go"


def figures_of(event: Event) -> str | None:
    """Returns how far a step is by an event of its engine, in words; None where the event says nothing of
    it.
    """
    match event:
        case Interval() if is_a_rate(event):
            return _figures(event)
        case PhaseStart(phase="warmup"):
            return "warming up"
        case Progress(total=total) if total:
            return f"{event.phase} {event.done / total:.0%}  ({event.done:,} of {total:,} {event.unit})"
        case _:
            return None


def _figures(interval: Interval) -> str:
    second = second_of(interval)
    parts = [
        "warm-up " if second.phase == "warmup" else "measuring",
        f"tps {second.rate:,.0f}",
        f"p95 {'-' if second.p95_ms is None else f'{second.p95_ms:.2f}'} ms",
    ]
    if second.errors:
        parts.append(f"errors {sum(second.errors.values())}")
    return "  ".join(parts)


class StepLines:
    """Says in lines what goes on: a step that lasts `first_s`, and again every `every_s` how far it is."""

    def __init__(self, console: Console, *, first_s: float = 1.0, every_s: float = 10.0) -> None:
        self._console, self._first_s, self._every_s = console, first_s, every_s
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        self._what, self._far, self._began, self._due = "", "", 0.0, float("inf")

    def begin(self) -> None:
        """Begins to look at the time; of several beginnings the first counts."""
        if self._thread is None:
            self._over.clear()
            self._thread = threading.Thread(target=self._look, name="step lines", daemon=True)
            self._thread.start()

    def step(self, what: str) -> None:
        """Hears of a step; an empty one is none."""
        if what:
            self.begin()
        with self._lock:
            now = time.monotonic()
            self._what, self._far, self._began = what, "", now
            self._due = now + self._first_s if what else float("inf")

    def far(self, far: str) -> None:
        """Hears how far the step is."""
        self._far = far

    def end(self) -> None:
        """Says no more."""
        self._over.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _look(self) -> None:
        while not self._over.wait(min(self._first_s, 0.25)):
            with self._lock:
                now = time.monotonic()
                if now < self._due:
                    continue
                is_first = self._due <= self._began + self._first_s
                self._due = now + self._every_s
                parts = [self._what, self._far, "" if is_first else duration(now - self._began)]
            said = ", ".join(part for part in parts if part)
            self._console.print(f"        {line(said)}", markup=False, highlight=False, soft_wrap=True)


class PlainProgress:
    """Prints one line a run, and lines about steps that last, without escape codes: for logs and pipes."""

    def __init__(self, console: Console, *, first_s: float = 1.0, every_s: float = 10.0) -> None:
        self._console = console
        self._runs = 0
        self._began: dict[str, float] = {}
        self._steps = StepLines(console, first_s=first_s, every_s=every_s)

    def begin(self, *, runs: int, done: int, loading_s: float, run_s: float, judging_s: float = 0.0) -> None:
        self._runs = runs
        self._say(head(runs, done, loading_s + (runs - done) * run_s + judging_s))
        self._steps.begin()

    def run_started(self, run_id: str, number: int) -> None:
        self._began[run_id] = time.monotonic()
        self._say(f"[{number}/{self._runs}] {run_id}")

    def step(self, what: str) -> None:
        self._steps.step(what)

    def event(self, event: Event) -> None:
        if (far := figures_of(event)) is not None:
            self._steps.far(far)

    def run_finished(self, run_id: str, *, headline: str, failure: Failure | None) -> None:
        self._steps.step("")
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
        self._steps.end()

    def _say(self, text: str) -> None:
        self._console.print(text, markup=False, highlight=False, soft_wrap=True)
