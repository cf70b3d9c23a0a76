"""Prints sysbench's text about a run while it goes on and at its end, for tests with and without SQL."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from assay.base.format.event import ScriptThreads
from assay.base.printable import line
from assay.design.folder import Doubt, ErrorEvent, Event, Hello, Interval, PhaseStart
from assay.front.compat.sysbench.general import General
from assay.front.compat.sysbench.own_name import asides_are_read
from assay.front.compat.sysbench.text import (
    ENDLESS,
    STARTED,
    STARTING,
    Heading,
    IntervalFigures,
    ThreadFigures,
    banner,
    checkpoint_line,
    fairness_text,
    general_statistics,
    heading,
    histogram_text,
    interval_line,
    latency_text,
    queue_line,
    unfinished_line,
    warming_up,
)
from assay.front.compat.sysbench.totals import Cumulative, Totals, figures_of, figures_of_threads
from assay.front.terminal import say

_WITHIN_NS = 1_000_000
"""By how much an interval may be shorter than it should be and still count as whole."""


class Reporter:
    """The progress of a run in sysbench's text.

    `own` is a test's own part of the statistics, and `own_line` its own line about an interval where it has
    one. The engine tells checkpoints of scripts, with the parts of their threads. Text goes to standard error
    where standard output is for JSON. Doubts and notes always do, where somebody reads them: a program that
    reads sysbench's text finds nothing else.
    """

    def __init__(
        self,
        general: General,
        *,
        sql: bool,
        own: Callable[[Totals], str],
        own_line: Callable[[IntervalFigures], str] | None = None,
        on_stderr: bool = False,
        checkpoints_are_told: bool = False,
    ) -> None:
        self._general, self.sql, self._own, self._own_line = general, sql, own, own_line
        self._on_stderr = on_stderr
        self._checkpoints_s = [] if checkpoints_are_told else list(general.report_checkpoints)
        self._are_told = checkpoints_are_told
        self._told: list[ScriptThreads] = []
        self._passed_checkpoint = False
        self._since = Cumulative(general.share)
        self._gathered: list[Interval] = []
        self._threads = general.threads
        self._failed = False
        self._start_ns = 0
        self._started = False
        self.series: list[IntervalFigures] = []

    def begin(self, *, language: str = "") -> None:
        """Prints the first line of all."""
        general = self._general
        if not general.events and not general.time and general.verbosity >= 2:
            say(ENDLESS, err=True, newline=False)
        self._print(banner(language))

    def settings(self, own: str = "") -> None:
        """Prints the settings of the run; `own` are the test's own lines."""
        general = self._general
        run = Heading(
            threads=general.threads,
            warmup_s=general.warmup_time,
            rate=general.rate,
            report_interval_s=general.report_interval,
            checkpoints_s=general.report_checkpoints,
            validates=general.validate,
            seed=general.rand_seed,
        )
        self._print(f"{heading(run)}{own}")

    def note(self, message: str) -> None:
        """Prints a note on standard error."""
        self._aside(message)

    def stage(self, number: int, of: int) -> None:
        """Takes the only stage of a run."""

    def event(self, event: Event) -> None:
        """Prints what an event of the engine makes worth saying."""
        match event:
            case Hello():
                self._threads = event.connections
            case PhaseStart(phase="connect"):
                self._print(STARTING)
            case PhaseStart(phase="warmup"):
                self._start()
                self._print(warming_up(self._general.warmup_time))
            case PhaseStart(phase="measure"):
                self._start_ns = event.start_ns
                self._start()
            case Interval(phase="measure"):
                self._interval(event)
            case Interval(phase="drain"):
                self._since.add(event)
            case ErrorEvent(fatal=True):
                self._failed = True
            case Doubt() | ErrorEvent():
                self._aside(event.message)
            case _:
                pass

    def end(self, totals: Totals, unfinished: int = 0) -> None:
        """Prints the statistics at the end: since the last checkpoint where there was one.

        `unfinished` events were left by a forced shutdown, of which sysbench prints them too. Of a run that
        has failed it prints none: they go to standard error, where nobody takes them for a result.
        """
        self._on_stderr |= self._failed and not unfinished
        if unfinished:
            self._print(unfinished_line(unfinished))
        whole_s = totals.seconds
        if self._passed_checkpoint:
            totals = replace(self._since.totals(), threads=totals.threads if self._are_told else ())
        self._statistics(totals, whole_s)

    # -------------------------------------------------------------------------------------------------------

    def _start(self) -> None:
        if not self._started:
            self._started = True
            self._print(STARTED)

    def _interval(self, interval: Interval) -> None:
        self._since.add(interval)
        self._gathered.append(interval)
        at_s = (interval.end_ns - self._start_ns) / 1e9
        every_s = self._general.report_interval or 1.0
        if interval.end_ns - self._gathered[0].start_ns >= every_s * 1e9 - _WITHIN_NS:
            figures = figures_of(self._gathered, at_s=at_s, threads=self._threads, share=self._general.share)
            self.series.append(figures)
            if self._general.report_interval:
                self._print(self._line(figures, interval))
            self._gathered.clear()
        if self._checkpoints_s and at_s >= self._checkpoints_s[0] - _WITHIN_NS / 1e9:
            self._checkpoints_s.pop(0)
            self._print(checkpoint_line(at_s))
            self._checkpoint(at_s, ())
        while self._told and self._told[0].end_ns <= interval.end_ns:
            self._checkpoint(at_s, figures_of_threads(self._told.pop(0)))

    def checkpoint(self, told: ScriptThreads, *, quiet: bool) -> None:
        """Prints the line of a checkpoint, and its statistics once all its intervals are there. `quiet` where
        the script reports them itself.
        """
        at_s = (told.end_ns - self._start_ns) / 1e9
        self._print(checkpoint_line(at_s))
        intervals = self._since.intervals
        if quiet:
            self._passed_checkpoint = True
        elif intervals and told.end_ns <= intervals[-1].end_ns:
            self._checkpoint(at_s, figures_of_threads(told))
        else:
            self._told.append(told)

    def _checkpoint(self, at_s: float, threads: Sequence[ThreadFigures]) -> None:
        self._passed_checkpoint = True
        self._statistics(replace(self._since.totals(), threads=threads), at_s)
        self._since.begin_anew()

    def _line(self, figures: IntervalFigures, last: Interval) -> str:
        own = None if self._own_line is None else self._own_line(figures)
        if own:
            return own
        text = interval_line(figures, self._general.percentile, sql=self.sql)
        if self._general.rate:
            text += queue_line(figures.at_s, queued=last.queued, running=last.in_flight, sql=self.sql)
        return text

    def _statistics(self, totals: Totals, whole_s: float) -> None:
        """Prints statistics; the total time counts from the start, also after a checkpoint."""
        percentile = self._general.percentile
        parts = [
            histogram_text(totals.times) if self._general.histogram and totals.times else "",
            self._own(totals),
            general_statistics(whole_s, totals.events),
            latency_text(totals.latency, percentile),
            fairness_text(totals.threads) if totals.threads else "",
        ]
        self._print("".join(parts))

    def _print(self, text: str) -> None:
        if self._general.reports:
            say(text, err=self._on_stderr, newline=False)

    def _aside(self, message: Any) -> None:
        if self._general.verbosity >= 2 and asides_are_read():
            say(f"! {line(message)}", err=True)
