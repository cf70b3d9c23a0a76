"""Adds up what the engine says of a run into the figures of sysbench's text and of `--json`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from assay.base.format.event import ScriptThreads
from assay.base.tally import Histogram, decode, merge
from assay.design.folder import WHOLE, Interval, MachineResult
from assay.front.compat.sysbench.text import IntervalFigures, LatencyFigures, SqlCounts, ThreadFigures


@dataclass(frozen=True, kw_only=True)
class Totals:
    """What happened since the start, or since the last checkpoint.

    `times` holds latencies in ns, and is None where no event ended; `threads` is empty where nobody knows
    the part of each thread.
    """

    seconds: float
    events: int
    latency: LatencyFigures
    times: Histogram | None
    counts: SqlCounts
    threads: Sequence[ThreadFigures] = ()


@dataclass
class Cumulative:
    """The sum of intervals since the start, or since the last checkpoint."""

    share: float  # of the percentile
    intervals: list[Interval] = field(default_factory=list)

    def add(self, interval: Interval) -> None:
        """Adds an interval of the measured window or of the drain after it."""
        self.intervals.append(interval)

    def begin_anew(self) -> None:
        """Forgets what was added."""
        self.intervals.clear()

    def totals(self) -> Totals:
        """Returns the totals. Shortest, longest and mean latency have the three digits of a histogram."""
        times = _times(self.intervals)
        counts = _counts(self.intervals)
        latency = LatencyFigures()
        if times is not None:
            latency = LatencyFigures(
                min_ms=times.min / 1e6,
                mean_ms=times.mean / 1e6,
                max_ms=times.max / 1e6,
                percentile_ms=times.percentile(self.share) / 1e6,
                sum_ms=times.mean * times.total / 1e6,
            )
        return Totals(
            seconds=_seconds(self.intervals),
            events=counts.transactions,
            latency=latency,
            times=times,
            counts=counts,
        )


def figures_of(intervals: Sequence[Interval], *, at_s: float, threads: int, share: float) -> IntervalFigures:
    """Returns the figures of one or several intervals that end `at_s` after the start."""
    times = _times(intervals) if share else None
    counts = _counts(intervals)
    return IntervalFigures(
        at_s=at_s,
        seconds=_seconds(intervals),
        threads=threads,
        events=counts.transactions,
        latency_ms=0.0 if times is None else times.percentile(share) / 1e6,
        reads=counts.reads,
        writes=counts.writes,
        other=counts.other,
        errors=counts.errors,
        reconnects=counts.reconnects,
    )


def figures_of_threads(told: ScriptThreads) -> Sequence[ThreadFigures]:
    """Returns parts of threads whose mean and spread are those that the engine tells: half of the threads lie
    as far above the mean as the other half below it.
    """
    events, busy = told.events, told.busy_ns
    signs = (1, -1) if events.count > 1 else (0,)
    # None of an engine too old to run scripts.
    apart, busy_apart = events.stdev or 0.0, busy.stdev or 0.0
    return [
        ThreadFigures(events=events.mean + sign * apart, busy_s=(busy.mean + sign * busy_apart) / 1e9)
        for sign in signs
    ]


def machine_totals(result: MachineResult, share: float) -> Totals:
    """Returns the totals of a load on the machine: as in sysbench, events that ended after the time limit
    are among them. Sum, shortest and longest latency are exact.
    """
    times = None if result.latency is None else decode(result.latency)
    latency = LatencyFigures()
    if times is not None:
        latency = LatencyFigures(
            min_ms=result.min_ns / 1e6,
            mean_ms=result.sum_ns / result.events / 1e6,
            max_ms=result.max_ns / 1e6,
            # The upper end of a bin may lie beyond the longest time that is in it.
            percentile_ms=min(times.percentile(share), result.max_ns) / 1e6,
            sum_ms=result.sum_ns / 1e6,
        )
    return Totals(
        seconds=result.elapsed_s,
        events=result.events,
        latency=latency,
        times=times,
        counts=SqlCounts(transactions=result.events, reads=0, writes=0, other=0, errors=0, reconnects=0),
        threads=[ThreadFigures(events=one.events, busy_s=one.busy_ns / 1e9) for one in result.threads],
    )


def _times(intervals: Sequence[Interval]) -> Histogram | None:
    """Returns the latencies of whole events: response where events arrive at a rate, else service."""
    labels = [interval.labels[WHOLE] for interval in intervals if WHOLE in interval.labels]
    return merge(decode(label.response or label.service) for label in labels) if labels else None


def _counts(intervals: Sequence[Interval]) -> SqlCounts:
    return SqlCounts(
        transactions=sum(interval.transactions for interval in intervals),
        reads=sum(interval.reads for interval in intervals),
        writes=sum(interval.writes for interval in intervals),
        other=sum(interval.other for interval in intervals),
        errors=sum(sum(interval.errors.values()) for interval in intervals),
        reconnects=sum(interval.reconnects for interval in intervals),
    )


def _seconds(intervals: Sequence[Interval]) -> float:
    return (intervals[-1].end_ns - intervals[0].start_ns) / 1e9 if intervals else 0.0
