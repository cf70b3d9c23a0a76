"""One action of one workload on a server that is already there: what `assay bench` does."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import msgspec
from rich.console import Console

from assay.bench.figures import figures
from assay.bench.record import (
    Series,
    distribution,
    histogram_lines,
    percentile_line,
    server_of,
    whole_times,
)
from assay.bench.request import Bench, Listener
from assay.calibration.record import NEAR, calibration_for, near_ceiling
from assay.compat.tpcc_mysql import OverTime
from assay.engine import jobs
from assay.engine.interrupts import Interrupts
from assay.engine.process import JobOutcome, run_job
from assay.errors import Interrupted, ServerError
from assay.folder import (
    ActionResult,
    CheckOutcome,
    Doubt,
    ErrorEvent,
    Event,
    Hello,
    Interval,
    PhaseStart,
    Progress,
    RunResult,
)
from assay.host import measuring
from assay.host.neighbours import Neighbours
from assay.printable import line
from assay.terminal import console, say_json
from assay.terminal.bench import live_line, print_figures
from assay.terminal.loading import LoadDisplay
from assay.terminal.neighbours import warn_before
from assay.wording import counted


def run_bench(bench: Bench) -> None:
    """Carries it out; live lines and the summary go to standard output (with `as_json`: to standard error).

    Raises the job's error after what was measured has been shown; `Interrupted` after a Ctrl-C.
    """
    text = None if bench.text is None else bench.text(bench)
    files = [make(bench) for make in bench.files]
    out = console(stderr=bench.as_json or text is not None)
    watcher = _Watcher(bench, out, text, files)
    env = {} if bench.password is None else {jobs.PASSWORD_ENV: bench.password}
    with Interrupts() as interrupts, measuring(f"assay bench {bench.workload}"), watcher.loading:
        watcher.interrupts = interrupts
        job = bench.job()
        if bench.action == "run":
            warn_before(job.target)
            watcher.neighbours = Neighbours(job.target)
        outcome = run_job(job, interrupts=interrupts, on_event=watcher, env=env)
    _show(bench, outcome, watcher, out)
    if interrupts.requested:
        raise Interrupted(_until_then(bench, outcome, watcher))
    if watcher.too_many_failed:
        raise ServerError(
            f"{watcher.failed:,} transactions failed, more than the {bench.max_failed:,} allowed:"
            " the run was ended, and the figures cover the time until then"
        )
    outcome.require()


def _until_then(bench: Bench, outcome: JobOutcome, watcher: _Watcher) -> str:
    if outcome.result is not None:
        return "Interrupted; the figures cover the time until then."
    if bench.action != "prepare" or outcome.done is not None:
        return "Interrupted."
    loaded = watcher.loaded
    rows = "what was loaded until then is"
    if loaded is not None:
        rows = f"about {loaded.done:,} of {loaded.total:,} rows are"
    return (
        f"Interrupted: {rows} in the tables."
        " The same command with --resume goes on from there; cleanup drops the tables."
    )


def _show(bench: Bench, outcome: JobOutcome, watcher: _Watcher, out: Console) -> None:
    if outcome.result is not None:
        settings = bench.settings()
        found = figures(outcome.result, settings=settings)
        ceiling = near_ceiling(outcome.result, calibration_for(bench.job()))
        if ceiling is not None:
            watcher(Doubt(kind=ceiling.kind, message=ceiling.message, value=ceiling.value or 0.0, limit=NEAR))
        for doubt in watcher.neighbours.doubts() if watcher.neighbours else ():
            watcher(doubt)
        found["doubts"] = watcher.doubts
        if bench.as_json:
            _add_record(found, bench, outcome.result, watcher)
        if "tpcc" in found:
            found["tpcc"]["over_time"] = watcher.over_time.bins(outcome.result.start_ns)
        if watcher.hello is not None:
            found["engine"] |= {"version": watcher.hello.version, "build": watcher.hello.build}
        if bench.as_json:
            say_json(found)
        elif watcher.text is None and not _failed_at_once(outcome):
            print_figures(found, out, histograms=bench.histograms)
            _print_asked(bench, outcome.result, out)
    elif outcome.done is not None:
        if bench.as_json:
            said = watcher.said_of_checks() | {"doubts": watcher.doubts}
            say_json(_done(bench, outcome.done) | said)
        else:
            out.print(_done_sentence(bench, outcome.done, len(watcher.checks), resized=watcher.resized))


def _add_record(found: dict[str, Any], bench: Bench, result: RunResult, watcher: _Watcher) -> None:
    """What a machine may want besides; the server is asked for its name only then."""
    found["started"] = watcher.series.started
    found["series"] = watcher.series.rows
    found["latency_distribution"] = distribution(result)
    if bench.percentile is not None and (times := whole_times(result)) is not None:
        found["percentile"] = {
            "percent": bench.percentile,
            "response_ms": times.percentile(bench.percentile / 100) / 1e6,
        }
    found["server"] = server_of(bench)


def _print_asked(bench: Bench, result: RunResult, out: Console) -> None:
    if bench.percentile is not None:
        out.print(percentile_line(result, bench.percentile))
    if bench.histogram:
        out.print()
        for one in histogram_lines(distribution(result)):
            out.print(one, markup=False)


_SAYS_NOTHING_S = 1.0


def _failed_at_once(outcome: JobOutcome) -> bool:
    """A job that failed before there was a second to tell of: its error is all there is to say."""
    result = outcome.result
    return outcome.error is not None and result is not None and result.elapsed_s < _SAYS_NOTHING_S


def _done(bench: Bench, done: ActionResult) -> dict[str, Any]:
    cpu_us = done.engine.user_us + done.engine.system_us
    return {
        "workload": bench.workload,
        "action": done.action,
        "elapsed_s": done.elapsed_s,
        "tables": done.tables,
        "rows": done.rows,
        "engine": {"cpu_s": cpu_us / 1e6, "max_rss_bytes": done.engine.rss_bytes},
        "settings": bench.settings(),
    }


def _done_sentence(bench: Bench, done: ActionResult, checks: int, *, resized: bool) -> str:
    tables = counted(done.tables, "table")
    match bench.action:
        case "prepare" if bench.resume and not done.rows_by_table:
            were = "was" if done.tables == 1 else "were"
            return f"Nothing to load: {tables} {were} whole already, and made with these options."
        case "prepare":
            speed = done.rows / done.elapsed_s if done.elapsed_s > 0 else 0.0
            rows = counted(done.rows, "row")
            return f"Prepared {tables}, {rows}, in {done.elapsed_s:.1f} s ({speed:,.0f} rows/s)."
        case "cleanup":
            if done.tables == 0:
                return "There were no tables to drop."
            return f"Dropped {tables} in {done.elapsed_s:.1f} s."
        case _ if resized:
            return (
                f"Checked {tables}, {done.rows:,} rows: not as many as these options make."
                " Either a load has changed the tables since prepare, or they were made with other options."
            )
        case _:
            hold = "holds" if checks == 1 else "hold"
            conditions = f", {counted(checks, 'condition')} {hold}" if checks else ""
            return f"Checked {tables}, {counted(done.rows, 'row')}: whole{conditions}."


@dataclass
class _Watcher:
    """Listens to the engine and says what is worth saying while it works."""

    bench: Bench
    out: Console
    text: Listener | None = None
    files: list[Listener] = field(default_factory=list)
    hello: Hello | None = None
    doubts: list[dict[str, Any]] = field(default_factory=list)
    checks: list[CheckOutcome] = field(default_factory=list)
    phase_starts_ns: dict[str, int] = field(default_factory=dict)
    over_time: OverTime = field(default_factory=OverTime)
    series: Series = field(default_factory=Series)
    failed: int = 0
    too_many_failed: bool = False
    neighbours: Neighbours | None = None
    loaded: Progress | None = None
    interrupts: Interrupts | None = None

    def __post_init__(self) -> None:
        self.loading = LoadDisplay(self.out)

    def __call__(self, event: Event) -> None:
        for listener in self.files if self.text is None else [self.text, *self.files]:
            listener(event)
        if self.neighbours is not None:
            self.neighbours.hear(event)
        match event:
            case Hello():
                self.hello = event
                if event.build != "release":
                    self.out.print(
                        f"[yellow]The engine is a {event.build} build: not fit for measurements.[/yellow]"
                    )
            case PhaseStart():
                self.phase_starts_ns[event.phase] = event.start_ns
            case Progress():
                if event.phase == "load" and event.unit == "rows":
                    self.loaded = event
                self.loading.show(event)
            case Interval():
                self._interval(event)
            case CheckOutcome():
                self._check(event)
            case Doubt():
                self.doubts.append(msgspec.to_builtins(event))
                self.out.print(f"! {line(event.message)}", markup=False)
            case ErrorEvent(fatal=False):
                self.out.print(f"! {line(event.message)}", markup=False)
            case _:
                pass

    @property
    def resized(self) -> bool:
        """Whether a table has not as many rows as a fresh load leaves."""
        return any(doubt["kind"] == "row-count" for doubt in self.doubts)

    def said_of_checks(self) -> dict[str, Any]:
        """The conditions that were tried, for a machine; nothing where the workload has none."""
        return {"checks": [msgspec.to_builtins(check) for check in self.checks]} if self.checks else {}

    def _check(self, check: CheckOutcome) -> None:
        self.checks.append(check)
        word = "ok    " if check.violations == 0 else "BROKEN"
        self.out.print(f"{word}  {line(check.name)}: {line(check.title)}", markup=False)
        if check.violations:
            self.out.print(f"        {check.violations:,} places, such as", markup=False)
            for place in check.places:
                self.out.print(f"          {line(place)}", markup=False)

    def _interval(self, interval: Interval) -> None:
        self.over_time.note(interval)
        self.failed += interval.failed
        limit = self.bench.max_failed
        if limit is not None and self.failed > limit and not self.too_many_failed:
            self.too_many_failed = True
            if self.interrupts is not None:
                self.interrupts.end_window()
        if self.text is not None or interval.phase not in ("warmup", "measure"):
            return
        elapsed = (interval.end_ns - self.phase_starts_ns[interval.phase]) / 1e9
        self.series.note(interval, elapsed)
        if self.bench.report_interval:
            self.out.print(
                live_line(interval, elapsed_s=elapsed, connections=self.bench.threads), markup=False
            )
