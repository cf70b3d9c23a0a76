"""Milliseconds out of the engine's histograms."""

from __future__ import annotations

from itertools import accumulate
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


def recorded(histogram: Any) -> list[tuple[int, int]]:
    """Lowest value and count of every bucket that has one, in order of the values.

    The library walks over all tens of thousands for each question; a run has hundreds of questions.
    """
    counts = histogram.counts[: min(histogram.counts_len, histogram.encoder.payload.counts_len)]
    return [(histogram.get_value_from_index(index), count) for index, count in enumerate(counts) if count]


def times_ms(encoded: str) -> dict[str, float | None]:
    """`mean`, the percentiles and `max` in milliseconds; None each when nothing was timed."""
    histogram = decode(encoded)
    if histogram.get_total_count() == 0:
        return dict.fromkeys(["mean", *PERCENTILES, "max"])
    buckets = recorded(histogram)
    figures: dict[str, float | None] = {"mean": mean_ns(histogram, buckets) / _NS_PER_MS}
    for name, percentile in PERCENTILES.items():
        figures[name] = percentile_ns(histogram, buckets, percentile) / _NS_PER_MS
    figures["max"] = histogram.get_max_value() / _NS_PER_MS
    return figures


def mean_ns(histogram: Any, buckets: list[tuple[int, int]]) -> float:
    """Of the middles of the buckets."""
    twice = sum(count * (value + histogram.get_highest_equivalent_value(value)) for value, count in buckets)
    return float(twice / 2 / histogram.get_total_count())


def percentile_ns(histogram: Any, buckets: list[tuple[int, int]], percentile: float) -> int:
    """The highest value of the bucket in which it lies."""
    wanted = histogram.get_target_count_at_percentile(percentile)
    seen = accumulate(count for _, count in buckets)
    value = next(value for (value, _), so_far in zip(buckets, seen, strict=True) if so_far >= wanted)
    return int(histogram.get_highest_equivalent_value(value))


def percentile_ms(encoded: str, percentile: float) -> float | None:
    """One percentile in milliseconds; None when nothing was timed."""
    histogram = decode(encoded)
    if histogram.get_total_count() == 0:
        return None
    return percentile_ns(histogram, recorded(histogram), percentile) / _NS_PER_MS


def count_beyond(encoded: str, limit_ms: float) -> tuple[int, int]:
    """How many took longer than the limit, to the histogram's three digits; and how many were timed."""
    histogram = decode(encoded)
    beyond = sum(count for value, count in recorded(histogram) if value > limit_ms * _NS_PER_MS)
    return beyond, histogram.get_total_count()
