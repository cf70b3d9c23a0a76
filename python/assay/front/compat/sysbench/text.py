"""Writes sysbench 1.0.20's text in its own columns, so that programs that read sysbench can read this.

Tests with and without SQL share these parts. Every function returns whole lines with their ends, and takes
finished figures: it knows nothing of jobs or events. Seconds and milliseconds are in the names.

A run prints `banner`, `heading`, the test's own settings, `STARTING`, `STARTED`; while it runs
`interval_line` (with `queue_line` at a rate) and `checkpoint_line`; at its end `histogram_text`,
`sql_statistics` or the test's own figures, `general_statistics`, `latency_text`, `fairness_text`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev
from typing import TYPE_CHECKING

from assay.base.version import VERSION

if TYPE_CHECKING:
    from assay.base.tally import Histogram

COMPATIBLE = "1.0.20"
"""The version whose command line and text are Assay's."""

STARTING = "Initializing worker threads...\n\n"
STARTED = "Threads started!\n\n"
ENDLESS = "WARNING: Both event and time limits are disabled, running an endless test\n"
"""The warning where nothing but a signal ends the run."""

NOTICE = 3
"""The verbosity from which on reports are printed."""

_BUCKETS = 1024
_LOWEST_MS, _HIGHEST_MS = 0.001, 100_000.0
_STARS = 40


@dataclass(frozen=True, kw_only=True)
class Heading:
    """What the first lines say about a run; 0 or empty leaves a line out."""

    threads: int
    warmup_s: float = 0.0
    rate: float = 0.0
    report_interval_s: float = 0.0
    checkpoints_s: Sequence[float] = ()
    validates: bool = False
    seed: int = 0


@dataclass(frozen=True, kw_only=True)
class IntervalFigures:
    """What happened in one interval, which ended `at_s` after the start.

    `threads` is the number of threads that run; `errors` are ignored ones.
    """

    at_s: float
    seconds: float
    threads: int
    events: int
    latency_ms: float = 0.0
    reads: int = 0
    writes: int = 0
    other: int = 0
    errors: int = 0
    reconnects: int = 0


@dataclass(frozen=True, kw_only=True)
class SqlCounts:
    """Counters of statements and transactions since the start, or since the last checkpoint."""

    transactions: int
    reads: int
    writes: int
    other: int
    errors: int
    reconnects: int


@dataclass(frozen=True, kw_only=True)
class LatencyFigures:
    """Latency of events, all 0 where there was none."""

    min_ms: float = 0.0
    mean_ms: float = 0.0
    max_ms: float = 0.0
    percentile_ms: float = 0.0
    sum_ms: float = 0.0


@dataclass(frozen=True, kw_only=True)
class ThreadFigures:
    """One thread's part of a run: its events, and the time that they took."""

    events: float
    busy_s: float


# ------------------------------------------------------------------------------------------- before the load


def banner(language: str = "") -> str:
    """Returns the first line and the empty one after it: `sysbench 1.0.20 (using …)`.

    The version is the one that programs compare; the brackets name what runs. `language` is the scripts'.
    """
    using = f"assay {VERSION}" + (f", {language}" if language else "")
    return f"sysbench {COMPATIBLE} (using {using})\n\n"


def heading(run: Heading) -> str:
    """Returns the general settings of a run, and the two empty lines after them."""
    lines = ["Running the test with following options:", f"Number of threads: {run.threads}"]
    if run.warmup_s:
        lines.append(f"Warmup time: {run.warmup_s:g}s")
    if run.rate:
        lines.append(f"Target transaction rate: {run.rate:.15g}/sec")
    if run.report_interval_s:
        lines.append(f"Report intermediate results every {run.report_interval_s:g} second(s)")
    if run.checkpoints_s:
        instants = ", ".join(f"{at:g}" for at in run.checkpoints_s)
        lines.append(f"Report checkpoint(s) at {instants} seconds")
    if run.validates:
        lines += ["Validation checks: on.", ""]
    source = f"seed ({run.seed})." if run.seed else "current time"
    lines += [f"Initializing random number generator from {source}", "", ""]
    return _text(lines)


def warming_up(seconds: float) -> str:
    """Returns the line that says how long the load runs before it is measured (sysbench 1.1)."""
    return f"Warming up for {seconds:g} seconds...\n\n"


def size_text(size: int) -> str:
    """Returns a size as `16KiB`, `2GiB` or `1.5GiB`."""
    value, unit = float(size), "B"
    for larger in ("KiB", "MiB", "GiB", "TiB"):
        if value < 1024:
            break
        value, unit = value / 1024, larger
    return f"{value:.5g}{unit}"


# -------------------------------------------------------------------------------------------- while it runs


def stamp(at_s: float) -> str:
    """Returns the time in front of a line: `[ 12s ]`. Instants between seconds, which sysbench lacks, have
    their fraction.
    """
    rounded = round(at_s, 3)
    nearest = round(rounded)
    return f"[ {nearest if abs(rounded - nearest) < 0.05 else f'{rounded:g}'}s ]"


def interval_line(figures: IntervalFigures, percentile: float, *, sql: bool) -> str:
    """Returns the line of an interval; `sql` where the test speaks to a server."""

    def rate(count: int) -> str:
        return f"{_per_s(count, figures.seconds):4.2f}"

    latency = f"lat (ms,{percentile:g}%): {figures.latency_ms:4.2f}"
    head = f"{stamp(figures.at_s)} thds: {figures.threads}"
    if not sql:
        return f"{head} eps: {rate(figures.events)} {latency}\n"
    statements = (figures.reads, figures.writes, figures.other)
    return (
        f"{head} tps: {rate(figures.events)} qps: {rate(sum(statements))}"
        f" (r/w/o: {'/'.join(map(rate, statements))}) {latency}"
        f" err/s: {rate(figures.errors)} reconn/s: {rate(figures.reconnects)}\n"
    )


def queue_line(at_s: float, *, queued: int, running: int, sql: bool) -> str:
    """Returns the second line of an interval at a rate: events that wait for a thread, and that run."""
    between = ", " if sql else " "
    return f"{stamp(at_s)} queue length: {queued}{between}concurrency: {running}\n"


def checkpoint_line(at_s: float) -> str:
    """Returns the line in front of the statistics since the last checkpoint."""
    return f"{stamp(at_s)} Checkpoint report:\n"


# ----------------------------------------------------------------------------------------------- at its end


def histogram_text(latencies: Histogram) -> str:
    """Returns the latency histogram: the filled ones of 1024 buckets between 1 µs and 100 s.

    Bounds of buckets have a constant ratio, 1.018; a line shows the bucket's middle on that scale.
    """
    step = math.log(_HIGHEST_MS / _LOWEST_MS) / (_BUCKETS - 1)

    def middle_ms(bucket: float) -> float:
        return _LOWEST_MS * math.exp(bucket * step)

    edges_ns = [middle_ms(bucket + 0.5) * 1e6 for bucket in range(_BUCKETS - 1)]
    counts = latencies.counts_between(edges_ns)
    most = max(counts)
    lines = [
        "Latency histogram (values are in milliseconds)",
        "       value  ------------- distribution ------------- count",
    ]
    for bucket, count in enumerate(counts):
        if count:
            stars = "*" * math.floor(count * _STARS / most + 0.5)
            lines.append(f"{middle_ms(bucket):12.3f} |{stars:<{_STARS}} {count}")
    return _text([*lines, " "])


def sql_statistics(counts: SqlCounts, seconds: float) -> str:
    """Returns the counters of a test that speaks to a server."""
    statements = {"read": counts.reads, "write": counts.writes, "other": counts.other}
    queries = sum(statements.values())
    rates = {
        "transactions": counts.transactions,
        "queries": queries,
        "ignored errors": counts.errors,
        "reconnects": counts.reconnects,
    }
    return _text(
        [
            "SQL statistics:",
            "    queries performed:",
            *(
                f"        {name + ':':<33}{count}"
                for name, count in (statements | {"total": queries}).items()
            ),
            *(
                f"    {name + ':':<37}{count:<6} ({_per_s(count, seconds):.2f} per sec.)"
                for name, count in rates.items()
            ),
            "",
        ]
    )


def general_statistics(seconds: float, events: int) -> str:
    """Returns the length of a run and the number of its events."""
    return _text(
        [
            "General statistics:",
            f"    {'total time:':<37}{seconds:.4f}s",
            f"    {'total number of events:':<37}{events}",
            "",
        ]
    )


def latency_text(latency: LatencyFigures, percentile: float) -> str:
    """Returns the times of events; percentile 0 says that there is none."""
    share = f"{percentile:>3g}th percentile: {latency.percentile_ms:27.2f}"
    return _text(
        [
            "Latency (ms):",
            *(
                f"         {name}: {value:39.2f}"
                for name, value in (
                    ("min", latency.min_ms),
                    ("avg", latency.mean_ms),
                    ("max", latency.max_ms),
                )
            ),
            f"        {share}" if percentile else "         percentile stats:               disabled",
            f"         sum: {latency.sum_ms:39.2f}",
            "",
        ]
    )


def fairness_text(threads: Sequence[ThreadFigures]) -> str:
    """Returns the mean and the standard deviation over threads of events and of the time that they took."""
    events = [thread.events for thread in threads] or [0.0]
    busy_s = [thread.busy_s for thread in threads] or [0.0]
    return _text(
        [
            "Threads fairness:",
            f"    events (avg/stddev):           {fmean(events):.4f}/{pstdev(events):3.2f}",
            f"    execution time (avg/stddev):   {fmean(busy_s):.4f}/{pstdev(busy_s):3.2f}",
            "",
        ]
    )


def unfinished_line(events: int) -> str:
    """Returns the line about events that a forced shutdown left."""
    return f"Number of unfinished transactions on forced shutdown: {events}\n"


def _per_s(count: int, seconds: float) -> float:
    return count / seconds if seconds > 0 else 0.0


def _text(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
