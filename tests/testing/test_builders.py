"""Builders make what the engine would have written."""

from __future__ import annotations

from assay.testing import histogram, interval, kind_tally, run_result
from examples import given, settings, st
from hdrh.histogram import HdrHistogram

HOUR_NS = 3_600_000_000_000


@settings(max_examples=50)
@given(st.lists(st.integers(1, HOUR_NS), max_size=200))
def test_a_histogram_is_that_of_the_reference(values: list[int]) -> None:
    reference = HdrHistogram(1, HOUR_NS, 3)
    for value in values:
        reference.record_value(value)
    ours = HdrHistogram.decode(histogram(values))
    assert ours.get_total_count() == len(values)
    for percentile in (0, 1, 50, 95, 99.9, 100):
        assert ours.get_value_at_percentile(percentile) == reference.get_value_at_percentile(percentile)


def test_transactions_are_those_of_the_kinds() -> None:
    kinds = {"read": kind_tally([1.0, 2.0]), "write": kind_tally([3.0])}
    assert (run_result(kinds).transactions, interval(kinds).transactions) == (3, 3)
    assert run_result(kinds, transactions=7).transactions == 7


def test_intervals_follow_each_other() -> None:
    first, second = interval(index=0, seconds=2.0), interval(index=1, seconds=2.0)
    assert (first.start_ns, first.end_ns, second.start_ns) == (0, 2 * 10**9, 2 * 10**9)
