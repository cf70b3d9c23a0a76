"""Carries out `assay sysbench cpu`, `memory`, `threads` and `mutex`."""

from __future__ import annotations

import math
import secrets
from statistics import fmean, pstdev
from typing import Any

from assay.base.argument_types import YEAR_S
from assay.base.errors import AssayError, HostError, Interrupted
from assay.base.format.job import FixedWarmup, MachineJob, NoneWarmup, Phases, PoissonArrivals
from assay.base.tally import SHARES
from assay.design.folder import RunResult
from assay.experiments.bench.storage import StageOutcome, carry_out
from assay.front.compat.sysbench.general import General
from assay.front.compat.sysbench.machine_tests import MACHINE_TESTS, MachineTest, Values
from assay.front.compat.sysbench.reporter import Reporter
from assay.front.compat.sysbench.totals import Totals, machine_totals
from assay.front.terminal import say_json

_FORCED = 2
"""sysbench's exit code after a forced shutdown."""


def machine_test(name: str, *, as_json: bool, output: str, **values: Any) -> None:
    """Carries out `run` of a test."""
    test = MACHINE_TESTS[name]
    general = General.taken_from(values)
    in_json = as_json or output == "json"
    reporter = Reporter(
        general,
        sql=False,
        own=lambda totals: test.report(values, totals),
        own_line=lambda figures: test.own_line(values, figures),
        on_stderr=in_json,
    )
    job = job_of(test, values, general)
    reporter.begin()
    reporter.settings(test.settings(values))
    (done,), interrupted = carry_out([job], reporter, command=f"assay sysbench {name}")
    if done.result is not None:
        _show(test, values, done, reporter, in_json=in_json, general=general)
    if interrupted:
        told = "" if done.result is None else "; the figures cover the time until then"
        raise Interrupted(f"Interrupted{told}.")
    if done.error is not None:
        raise _with_code(done.error, done.result, general)


def job_of(test: MachineTest, values: Values, general: General) -> MachineJob:
    """Returns the engine's job."""
    every_ms = round(general.report_interval * 1000) or 1000
    if general.report_checkpoints:
        every_ms = math.gcd(every_ms, 1000)  # a checkpoint is the end of an interval
    drain_s = YEAR_S if general.drain_s is None else general.drain_s
    warmup_ms = round(general.warmup_time * 1000)
    return MachineJob(
        version=1,
        action="machine",
        seed=general.rand_seed or secrets.randbits(32),
        machine=test.load(values),
        threads=general.threads,
        arrivals=PoissonArrivals(rate=general.rate) if general.rate else None,
        phases=Phases(
            warmup=FixedWarmup(duration_ms=warmup_ms) if warmup_ms else NoneWarmup(),
            measure_ms=round(general.time * 1000),
            max_transactions=general.events if test.takes_events else 0,
            drain_ms=round(drain_s * 1000),
            interval_ms=every_ms,
        ),
    )


def _show(
    test: MachineTest,
    values: Values,
    done: StageOutcome,
    reporter: Reporter,
    *,
    in_json: bool,
    general: General,
) -> None:
    result = done.result
    assert result is not None
    assert result.machine is not None
    totals = machine_totals(result.machine, general.share)
    if in_json:
        say_json(_as_json(test, values, done, reporter, totals))
    else:
        reporter.end(totals, unfinished=result.abandoned)


def _with_code(error: AssayError, result: RunResult | None, general: General) -> AssayError:
    """Returns the error of a run, with sysbench's exit code where its shutdown was forced."""
    forced = general.drain_s is not None and result is not None and result.abandoned > 0
    if forced and isinstance(error, HostError):
        error.exit_code = _FORCED
    return error


def _as_json(
    test: MachineTest, values: Values, done: StageOutcome, reporter: Reporter, totals: Totals
) -> dict[str, Any]:
    """Returns a run in Assay's own JSON form."""
    result = done.result
    assert result is not None
    assert result.machine is not None
    latency, seconds = totals.latency, totals.seconds or 1e-9
    shares = {} if totals.times is None else SHARES
    ranked = [] if totals.times is None else totals.times.percentiles(list(shares.values())).tolist()
    events = [thread.events for thread in totals.threads] or [0.0]
    busy_s = [thread.busy_s for thread in totals.threads] or [0.0]
    moved = result.machine.bytes
    return {
        "test": test.name,
        "options": values,
        "threads": len(totals.threads),
        "elapsed_s": totals.seconds,
        "complete": result.complete,
        "events": totals.events,
        "events_per_s": totals.events / seconds,
        **({"bytes": moved, "bytes_per_s": moved / seconds} if moved else {}),
        "latency_ms": {
            "min": latency.min_ms,
            "mean": latency.mean_ms,
            **{name: value / 1e6 for name, value in zip(shares, ranked, strict=True)},
            "max": latency.max_ms,
            "sum": latency.sum_ms,
            "is": result.latency,
        },
        "latency_hdr": result.machine.latency,
        "fairness": {
            "events": {"mean": fmean(events), "stdev": pstdev(events)},
            "busy_s": {"mean": fmean(busy_s), "stdev": pstdev(busy_s)},
        },
        "by_thread": [{"events": one.events, "busy_s": one.busy_s} for one in totals.threads],
        "warmup": {"seconds": result.warmup_s, "events": result.warmup.transactions},
        "unserved": result.dropped,
        "abandoned": result.abandoned,
        "series": [
            {
                "t_s": one.at_s,
                "seconds": one.seconds,
                "events": one.events,
                "events_per_s": one.events / one.seconds,
                "latency_ms": one.latency_ms,
            }
            for one in reporter.series
        ],
        "doubts": done.doubts,
    }
