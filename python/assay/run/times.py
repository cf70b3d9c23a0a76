"""Milliseconds out of the engine's histograms."""

from __future__ import annotations

from typing import Any

from hdrh.histogram import HdrHistogram

PERCENTILES: dict[str, float] = {
    "p50": 50.0,
    "p75": 75.0,
    "p90": 90.0,
    "p95": 95.0,
    "p99": 99.0,
    "p99_9": 99.9,
}

_NS_PER_MS = 1e6


def decode(encoded: str) -> Any:
    """The histogram (nanoseconds) behind the engine's base64 text."""
    return HdrHistogram.decode(encoded)


def times_ms(encoded: str) -> dict[str, float | None]:
    """`mean`, the percentiles and `max` in milliseconds; None each when nothing was timed."""
    histogram = decode(encoded)
    if histogram.get_total_count() == 0:
        return dict.fromkeys(["mean", *PERCENTILES, "max"])
    figures: dict[str, float | None] = {"mean": histogram.get_mean_value() / _NS_PER_MS}
    for name, percentile in PERCENTILES.items():
        figures[name] = histogram.get_value_at_percentile(percentile) / _NS_PER_MS
    figures["max"] = histogram.get_max_value() / _NS_PER_MS
    return figures


def percentile_ms(encoded: str, percentile: float) -> float | None:
    """One percentile in milliseconds; None when nothing was timed."""
    histogram = decode(encoded)
    if histogram.get_total_count() == 0:
        return None
    return float(histogram.get_value_at_percentile(percentile)) / _NS_PER_MS


def count_beyond(encoded: str, limit_ms: float) -> tuple[int, int]:
    """How many took longer than the limit, to the histogram's three digits; and how many were timed."""
    histogram = decode(encoded)
    beyond = sum(
        bucket.count_added_in_this_iter_step
        for bucket in histogram.get_recorded_iterator()
        if histogram.get_lowest_equivalent_value(bucket.value_iterated_to) > limit_ms * _NS_PER_MS
    )
    return beyond, histogram.get_total_count()
