"""Rates, errors and the 95th percentile of what the engine counted, in an interval or over a window."""

from __future__ import annotations

from assay.folder import WHOLE, Counts, Interval, RunResult
from assay.tally import percentile_ms


def per_second(count: int, seconds: float) -> float:
    """A rate; 0 for no time at all."""
    return count / seconds if seconds > 0 else 0.0


def interval_seconds(interval: Interval) -> float:
    """How long an interval lasted."""
    return (interval.end_ns - interval.start_ns) / 1e9


def interval_p95_ms(interval: Interval) -> float | None:
    """95th percentile of the response time of whole transactions that ended in the interval."""
    whole = interval.labels.get(WHOLE)
    return None if whole is None else percentile_ms(whole.response or whole.service, 0.95)


def error_count(counts: Counts | Interval | RunResult) -> int:
    """Failed statements, whatever their code."""
    return sum(counts.errors.values())
