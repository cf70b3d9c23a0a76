"""Carries out `assay sysbench SCRIPT COMMAND`: a Lua script for sysbench, by the engine."""

from __future__ import annotations

import math
import re
import secrets
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec

from assay.base.argument_types import YEAR_S
from assay.base.errors import AssayError, InputError, Interrupted
from assay.base.format.event import ScriptHooks, ScriptOutput, ScriptThreads
from assay.base.format.job import (
    Action,
    ConstantThink,
    FixedWarmup,
    Job,
    Load,
    NoneWarmup,
    Phases,
    PoissonArrivals,
    ScriptChoice,
    WorkloadChoice,
)
from assay.base.printable import MOST, shortened
from assay.base.tally import SHARES, decode
from assay.design.folder import WHOLE, Doubt, Event, Interval, PhaseStart, RunResult
from assay.front.compat.sysbench.general import General
from assay.front.compat.sysbench.help import TESTS
from assay.front.compat.sysbench.other_tests import elsewhere
from assay.front.compat.sysbench.own_name import FAILED, asides_are_read, refuse, say_log
from assay.front.compat.sysbench.reporter import Reporter
from assay.front.compat.sysbench.script_options import SCRIPTS, STDIN
from assay.front.compat.sysbench.script_target import targets_of
from assay.front.compat.sysbench.text import STARTING, ThreadFigures, banner, sql_statistics
from assay.front.compat.sysbench.totals import Cumulative, Totals, figures_of_threads
from assay.front.terminal import say, say_json
from assay.system.engine import Interrupts, JobOutcome, error_count, run_job
from assay.system.host import LookAround, measuring

_ACTIONS: dict[str, Action] = {"prepare": "prepare", "cleanup": "cleanup", "run": "run"}
"""Commands that are actions of a job; every other one is the script's own."""

_DRAIN_S = 600.0
"""Seconds after the time limit in which events may end; sysbench waits for ever, even for a hung server."""

LANGUAGE = "LuaJIT 2.1"

_OF_SCRIPT = "script: "
"""What the engine's message about a script begins with."""

_OF_COMMAND_LINE = "invalid option: |Unknown command: |'.*' test does not implement the '"
"""What messages begin with that sysbench does not log."""


def script_command(
    script: str,
    command: str | None,
    *,
    texts: dict[str, str],
    argv: list[str],
    as_json: bool,
    output: str,
    think_ms: float,
    **values: Any,
) -> None:
    """Carries out a command of a script; without one, the script is only loaded.

    `texts` are all options as they were given, `values` those that every script has.
    """
    general = General.taken_from(values)
    if think_ms and general.rate:
        raise InputError(
            "--think-ms cannot be combined with --rate, which says when events begin",
            hint="leave one of them out",
        )
    (target, *others), environment = targets_of(
        values, port_given="mysql_port" in texts, login_s=general.thread_init_timeout
    )
    seed = general.rand_seed or secrets.randbits(32)
    for name in ("time", "warmup_time", "report_interval"):  # Assay takes 5min for them; scripts read numbers
        if name in texts:
            texts[name] = f"{getattr(general, name):.15g}"
    job = Job(
        version=1,
        action=_ACTIONS.get(command or "", "command"),
        seed=seed,
        target=target,
        workload=WorkloadChoice(
            name=f"lua:{'stdin' if script == STDIN else script}",
            options=texts,
            script=ScriptChoice(
                command=command or "",
                source=sys.stdin.read() if script == STDIN else None,
                argv=argv,
                servers=others,
            ),
        ),
        load=Load(
            connections=general.threads,
            arrivals=PoissonArrivals(rate=general.rate) if general.rate else None,
            think=ConstantThink(mean_ms=think_ms) if think_ms else None,
        ),
        phases=_phases(general),
    )
    if command == "run":
        _run(job, general, environment, in_json=as_json or output == "json")
        return
    if general.reports:
        say(banner(LANGUAGE), newline=False)
    outcome, interrupted = _carried_out(job, environment, f"assay sysbench {script}", _Printer(general))
    if interrupted:
        raise Interrupted("Interrupted.")
    _raise(outcome, script, command)


_LEVELS = {"FATAL": 0, "ALERT": 1, "WARNING": 2}
"""The verbosity from which on a line of the log is printed, by what it begins with."""


class _Printer:
    """Prints what a script writes, and the lines that sysbench's log has about it."""

    def __init__(self, general: General, *, on_stderr: bool = False) -> None:
        self._general, self._on_stderr = general, on_stderr
        self._last, self._repeated = "", 0

    def event(self, event: Event) -> None:
        """Prints the text of an event, where it has one."""
        match event:
            case ScriptOutput(error=True):
                self._log(event.text)
            case ScriptOutput():
                say(event.text, err=self._on_stderr, newline=False)
            case PhaseStart(phase="connect") if self._general.reports:
                say(STARTING, newline=False)
            case Doubt() if asides_are_read():
                say(f"! {event.message}", err=True)
            case _:
                pass

    def _log(self, text: str) -> None:
        """Prints a line of the log; one that is equal to the line before is only counted."""
        text = _short(text)
        level = _LEVELS.get(text.partition(":")[0], 0)
        if level > self._general.verbosity:
            return
        if text == self._last:
            self._repeated += 1
            return
        if self._repeated:
            say_log(f"(last message repeated {self._repeated} times)\n")
        self._last, self._repeated = text, 0
        say_log(text)


def _short(text: str) -> str:
    """Returns a text of the log without the middle of its long lines, such as a statement that failed."""
    return "".join(f"{shortened(one)}\n" for one in text.splitlines()) if len(text) > MOST else text


class _Run(_Printer):
    """The progress of a run: sysbench's text, and the script's own output between its lines."""

    def __init__(self, reporter: Reporter, general: General, *, on_stderr: bool) -> None:
        super().__init__(general, on_stderr=on_stderr)
        self._reporter = reporter
        self._look = LookAround()
        self.hooks = ScriptHooks(intermediate=False, cumulative=False)
        self.all = Cumulative(general.share)
        self.doubts: list[dict[str, Any]] = []
        self.threads: Sequence[ThreadFigures] = ()

    def event(self, event: Event) -> None:
        """Prints what an event makes worth saying."""
        self._look.hear(event, self._reporter.note)
        match event:
            case ScriptOutput():
                super().event(event)
                return
            case ScriptHooks():
                self.hooks = event
                self._reporter.settings()
            case Interval(phase="measure" | "drain"):
                self.all.add(event)
                self._reporter.sql |= _speaks(event)
                if self.hooks.intermediate:
                    return
            case ScriptThreads(checkpoint=True):
                self._reporter.checkpoint(event, quiet=self.hooks.cumulative)
            case ScriptThreads():
                self.threads = figures_of_threads(event)
            case RunResult() if not self._on_stderr:
                self.end(event)
            case Doubt():
                self.doubts.append(msgspec.to_builtins(event))
            case _:
                pass
        self._reporter.event(event)

    def end(self, result: RunResult) -> None:
        """Prints the figures, unless the script does it itself; done() comes after them."""
        if not self.hooks.cumulative:
            self._reporter.end(self.totals(), unfinished=result.abandoned)

    def totals(self) -> Totals:
        """Returns the totals of a run, with the events that ended after the time limit, as in sysbench."""
        return replace(self.all.totals(), threads=self.threads)


def _run(job: Job, general: General, environment: dict[str, str], *, in_json: bool) -> None:
    """Drives the load and prints the figures; afterwards it raises the load's error, or `Interrupted`."""
    reporter = Reporter(
        general,
        sql=False,
        own=lambda totals: _own(totals, reporter),
        on_stderr=in_json,
        checkpoints_are_told=True,
    )
    run = _Run(reporter, general, on_stderr=in_json)
    script = job.workload.name.removeprefix("lua:")
    reporter.begin(language=LANGUAGE)
    outcome, interrupted = _carried_out(job, environment, f"assay sysbench {script}", run)
    result = outcome.result
    if result is not None and in_json:
        say_json(_as_json(job, result, run.totals(), run))
    if interrupted:
        told = "" if result is None else "; the figures cover the time until then"
        raise Interrupted(f"Interrupted{told}.")
    _raise(outcome, script, "run")


def _speaks(counted: Interval) -> bool:
    """Returns whether statements were sent: a test that speaks to no server has other lines."""
    return bool(counted.reads or counted.writes or counted.other or counted.errors or counted.reconnects)


def _own(totals: Totals, reporter: Reporter) -> str:
    return sql_statistics(totals.counts, totals.seconds) if reporter.sql else "\n"


def _carried_out(
    job: Job, environment: dict[str, str], command: str, listener: _Printer
) -> tuple[JobOutcome, bool]:
    with Interrupts(_say_what_is_waited_for) as interrupts, measuring(command):
        outcome = run_job(job, interrupts=interrupts, on_event=listener.event, env=environment)
        return outcome, interrupts.requested


def _say_what_is_waited_for() -> None:
    if asides_are_read():
        say("Interrupted: events that are going on have 1 s to end; Ctrl-C once more ends at once", err=True)


def _raise(outcome: JobOutcome, script: str, command: str | None) -> None:
    """Raises the error of a job with sysbench's exit code; one of the script is told in sysbench's form."""
    error: AssayError | None = outcome.error
    if error is None:
        return
    message = str(error)
    if not message.startswith(_OF_SCRIPT):
        error.exit_code = FAILED
        raise error
    told = shortened(message.removeprefix(_OF_SCRIPT))
    if re.match(_OF_COMMAND_LINE, told):
        refuse(told, error.hint)
    hint = error.hint
    if told.startswith("Cannot find benchmark"):
        hint = elsewhere(script, command, [*TESTS, *sorted(SCRIPTS)])
    say_log(f"FATAL: {told}\n")
    if told.startswith("`thread_init'"):
        say_log("FATAL: Thread initialization failed!\n")
    refuse("", hint)


def _phases(general: General) -> Phases:
    every_ms = round(general.report_interval * 1000) or 1000
    if general.report_checkpoints:
        every_ms = math.gcd(every_ms, 1000)  # a checkpoint is the end of an interval
    endless = not general.time and not general.events
    drain_s = _DRAIN_S if general.drain_s is None else general.drain_s
    warmup_ms = round(general.warmup_time * 1000)
    return Phases(
        warmup=FixedWarmup(duration_ms=warmup_ms) if warmup_ms else NoneWarmup(),
        measure_ms=round((YEAR_S if endless else general.time) * 1000),
        max_transactions=general.events,
        drain_ms=round(drain_s * 1000),
        interval_ms=every_ms,
    )


def _as_json(job: Job, result: RunResult, totals: Totals, run: _Run) -> dict[str, Any]:
    """Returns a run in Assay's own JSON form: what sysbench's text says, errors by code, and every
    statement's times.
    """
    seconds = totals.seconds or 1e-9
    counts = totals.counts
    return {
        "script": job.workload.name.removeprefix("lua:"),
        "options": job.workload.options,
        "seed": job.seed,
        "threads": job.load.connections,
        "elapsed_s": totals.seconds,
        "complete": result.complete,
        "events": totals.events,
        "events_per_s": totals.events / seconds,
        "queries": {"read": counts.reads, "write": counts.writes, "other": counts.other},
        "queries_per_s": (counts.reads + counts.writes + counts.other) / seconds,
        "errors": {str(code): count for code, count in result.errors.items()},
        "error_count": error_count(result),
        "reconnects": counts.reconnects,
        "restarts": result.retries,
        "latency_is": result.latency,
        "labels": {
            name: {"count": times.count, **_times_ms(times.response or times.service)}
            for name, times in result.labels.items()
            if times.count or name == WHOLE
        },
        "abandoned": result.abandoned,
        "unserved": result.dropped,
        "doubts": run.doubts,
    }


def _times_ms(text: str) -> dict[str, float]:
    times = decode(text)
    if not times.total:
        return {}
    ranked = times.percentiles(list(SHARES.values())).tolist()
    shares = {name: value / 1e6 for name, value in zip(SHARES, ranked, strict=True)}
    return {"min_ms": times.min / 1e6, "mean_ms": times.mean / 1e6, "max_ms": times.max / 1e6, **shares}
