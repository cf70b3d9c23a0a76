"""Figures out of histograms are those of the library that reads the format."""

from __future__ import annotations

import random

import pytest
from assay.run.times import PERCENTILES, count_beyond, mean_ns, percentile_ms, recorded, times_ms
from hdrh.histogram import HdrHistogram


@pytest.mark.parametrize("count", [1, 7, 1_000])
def test_figures_are_those_of_the_library(count: int) -> None:
    drawn = random.Random(count)
    histogram = HdrHistogram(1, 3_600_000_000_000, 3)
    for _ in range(count):
        histogram.record_value(int(drawn.lognormvariate(15, 2)) + 1)
    encoded = histogram.encode().decode()
    whole = HdrHistogram.decode(encoded)
    found = times_ms(encoded)
    for name, percentile in PERCENTILES.items():
        assert found[name] == whole.get_value_at_percentile(percentile) / 1e6, name
        assert percentile_ms(encoded, percentile) == found[name]
    assert found["max"] == whole.get_max_value() / 1e6
    assert mean_ns(whole, recorded(whole)) == pytest.approx(whole.get_mean_value(), rel=1e-3)
    assert count_beyond(encoded, 0.0) == (count, count)


def test_nothing_timed_has_no_figures() -> None:
    empty = HdrHistogram(1, 3_600_000_000_000, 3).encode().decode()
    assert set(times_ms(empty).values()) == {None}
    assert percentile_ms(empty, 50.0) is None
