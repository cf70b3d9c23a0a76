"""Shows a single measurement while it runs: a line for each interval, doubts, and the progress of a load."""

from __future__ import annotations

from rich.console import Console

from assay.base.numbers import number
from assay.base.printable import line
from assay.design.folder import CheckOutcome, Doubt, ErrorEvent, Event, Hello, Interval, PhaseStart, Progress
from assay.experiments.bench import Bench
from assay.front.terminal.loading import LoadDisplay
from assay.front.terminal.neighbours import warn
from assay.system.engine import FOR_MEASURING, error_count, interval_p95_ms, interval_seconds, per_second


class BenchDisplay(LoadDisplay):
    """Shows one action. `lines` says whether intervals have lines, which the text of another tool
    replaces.
    """

    def __init__(self, console: Console, bench: Bench, *, lines: bool = True) -> None:
        super().__init__(console)
        self._connections = bench.threads
        self._lines = lines and bench.report_interval > 0
        self._starts_ns: dict[str, int] = {}

    def note(self, message: str) -> None:
        """Prints a note on standard error."""
        warn(message)

    def event(self, event: Event) -> None:
        """Shows an event if it matters to a person."""
        match event:
            case Hello(build=build) if build not in FOR_MEASURING:
                self._console.print(
                    f"[yellow]The engine is a {build} build: not fit for measurements.[/yellow]"
                )
            case PhaseStart():
                self._starts_ns[event.phase] = event.start_ns
            case Progress():
                self.show(event)
            case Interval(phase="warmup" | "measure") if self._lines:
                elapsed_s = (event.end_ns - self._starts_ns[event.phase]) / 1e9
                text = live_line(event, elapsed_s=elapsed_s, connections=self._connections)
                self._console.print(text, markup=False)
            case CheckOutcome():
                self._check(event)
            case Doubt() | ErrorEvent(fatal=False):
                self._console.print(f"! {line(event.message)}", markup=False)
            case _:
                pass

    def _check(self, check: CheckOutcome) -> None:
        word = "ok    " if check.violations == 0 else "BROKEN"
        self._console.print(f"{word}  {line(check.name)}: {line(check.title)}", markup=False)
        if check.violations:
            self._console.print(f"        {check.violations:,} places, such as", markup=False)
            for place in check.places:
                self._console.print(f"          {line(place)}", markup=False)


class ServerDisplay(LoadDisplay):
    """Shows how a private server is started; the next step ends a live display of the load."""

    def note(self, message: str) -> None:
        """Prints a note as a line."""
        self.over()
        self._console.print(message, markup=False)

    def step(self, what: str) -> None:
        """Prints the step that begins."""
        self.over()
        self._console.print(f"{what} …", markup=False)

    def event(self, event: Event) -> None:
        """Shows the progress of the load."""
        if isinstance(event, Progress):
            self.show(event)


def live_line(interval: Interval, *, elapsed_s: float, connections: int) -> str:
    """Returns the line of an interval: `[ 3s ] threads 64 tps 1234.5 qps 24690 p95 12.3 ms err/s 0.0`."""
    seconds = interval_seconds(interval)
    p95 = interval_p95_ms(interval)
    digits = 0 if abs(elapsed_s - round(elapsed_s)) < 0.05 else 1
    where = "warm-up " if interval.phase == "warmup" else ""
    line = (
        f"[ {where}{elapsed_s:.{digits}f}s ] threads {connections}"
        f"  tps {per_second(interval.transactions, seconds):.1f}"
        f"  qps {per_second(interval.queries, seconds):.0f}"
        f"  p95 {number(p95)}{'' if p95 is None else ' ms'}"
        f"  err/s {per_second(error_count(interval), seconds):.1f}"
    )
    if interval.reconnects:
        line += f"  reconnects {interval.reconnects}"
    if interval.queued:
        line += f"  queued {interval.queued}"
    return line
