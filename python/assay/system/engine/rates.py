"""Computes rates, error counts and the 95th percentile of the engine's results, for an interval or a
window.
"""

from __future__ import annotations

from assay.base.tally import percentile_ms
from assay.design.folder import WHOLE, Counts, Interval, RunResult


def per_second(count: int, seconds: float) -> float:
    """Returns a rate per second; 0 for a length of 0."""
    return count / seconds if seconds > 0 else 0.0


def interval_seconds(interval: Interval) -> float:
    """Returns the length of an interval in seconds."""
    return (interval.end_ns - interval.start_ns) / 1e9


def interval_p95_ms(interval: Interval) -> float | None:
    """Returns the 95th percentile of the response times, in ms, of whole transactions that ended in the
    interval.
    """
    whole = interval.labels.get(WHOLE)
    return None if whole is None else percentile_ms(whole.response or whole.service, 0.95)


def error_count(counts: Counts | Interval | RunResult) -> int:
    """Returns the number of failed statements, whatever their error codes."""
    return sum(counts.errors.values())
