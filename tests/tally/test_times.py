"""One rank rule: what the format's reference decodes and numpy ranks, wherever the figure is shown."""

from __future__ import annotations

import io

import numpy as np
import pytest
from assay.base.tally import SHARES, WindowTimes, count_beyond, decode, merge, percentile_ms, times_ms
from assay.design.folder import KindTally, LabelTimes
from assay.design.storage.times import read_times
from assay.front.compat.linkbench.latencies import latencies_of
from assay.front.compat.tpcc_mysql import ToolSettings, ToolText
from assay.results.store.times import times_of
from assay.testing import interval
from examples import given, settings, st
from hdrh.histogram import HdrHistogram

HOUR_NS = 3_600_000_000_000
TIMES = st.lists(st.integers(1, HOUR_NS), min_size=1, max_size=300)


def text_of(values: list[int]) -> str:
    histogram = HdrHistogram(1, HOUR_NS, 3)
    for value in values:
        histogram.record_value(value)
    return str(histogram.encode().decode())


def line_of(kind: KindTally) -> float:
    """The p95 in tpcc_start's line of a second in which these New-Orders ended."""
    out = io.StringIO()
    tool = ToolText(ToolSettings("db", 3306, None, "tpcc", "me", 1, 1, 0, 1, 1, "s"), out.write)
    tool.interval(interval({"new_order": kind}))
    return float(out.getvalue().split("95%: ")[1].split(",")[0])


@settings(max_examples=50)
@given(TIMES, st.lists(st.integers(1, 1000), max_size=5))
def test_percentiles_are_numpys_ranks_in_the_references_bins(values: list[int], more: list[int]) -> None:
    text = text_of(values)
    reference = HdrHistogram.decode(text)
    shares = [*SHARES.values(), *(thousandths / 1000 for thousandths in more)]
    ranked = np.quantile(np.array(values), list(SHARES.values()), method="inverted_cdf").tolist()
    # In whole numbers: to numpy 0.28 of 25 are a little more than 7.
    ranked += [sorted(values)[-(-thousandths * len(values) // 1000) - 1] for thousandths in more]
    expected = [reference.get_highest_equivalent_value(int(value)) for value in ranked]
    found = decode(text)
    assert found.percentiles(shares).tolist() == expected
    assert [percentile_ms(text, share) for share in shares] == [one / 1e6 for one in expected]
    assert found.total == reference.get_total_count()
    assert (found.min, found.max) == (
        reference.get_lowest_equivalent_value(min(values)),
        reference.get_highest_equivalent_value(max(values)),
    )


@settings(max_examples=6)  # the reference goes through every bin up to an hour: a seventh of a second each
@given(TIMES)
def test_moments_are_the_references(values: list[int]) -> None:
    text = text_of(values)
    reference, found = HdrHistogram.decode(text), decode(text)
    assert found.mean == pytest.approx(reference.get_mean_value(), rel=1e-9)
    assert found.stdev == pytest.approx(reference.get_stddev(), rel=1e-6, abs=1e-3)


@settings(max_examples=50)
@given(TIMES, TIMES)
def test_merged_ones_are_those_of_all_values(one: list[int], other: list[int]) -> None:
    merged, whole = merge([decode(text_of(one)), decode(text_of(other))]), decode(text_of(one + other))
    shares = list(SHARES.values())
    assert merged.percentiles(shares).tolist() == whole.percentiles(shares).tolist()


def test_a_quotable_share_of_any_count_has_the_rank_that_the_engine_counts() -> None:
    # The engine takes the ceiling of the plain product; ours is rounded first. They agree where it matters.
    counts = np.arange(1, 200_001)
    for share in SHARES.values():
        plain, rounded = np.ceil(share * counts), np.ceil(np.round(share * counts, 6))
        assert (plain == rounded).all(), share


def test_eleven_times_have_one_p95_wherever_it_is_shown() -> None:
    text = text_of([millisecond * 1_000_000 for millisecond in range(1, 12)])
    kind = KindTally(times=LabelTimes(count=11, service=text))
    shown = {
        "bench": times_ms(text)["p95"],
        "headline": percentile_ms(text, 0.95),
        "store": {name: value for name, _, value, _ in times_of(WindowTimes(decode(text)))}["p95_ms"],
        "fio": read_times(text).at(95) / 1e6,
        "tpcc_start": line_of(kind),
    }
    assert {round(value or 0.0, 2) for value in shown.values()} == {11.0}, shown
    found = latencies_of(kind)
    assert found is not None
    assert found.bounds[3] == (11, 12)


def test_nothing_timed_has_no_figures() -> None:
    empty = text_of([])
    assert set(times_ms(empty).values()) == {None}
    assert percentile_ms(empty, 0.5) is None


def test_what_took_longer_is_counted_by_bins() -> None:
    assert count_beyond(text_of([1_000_000, 5_000_000, 9_000_000]), 4.0) == (2, 3)
    assert decode(text_of([5, 50, 50, 500])).counts_between([10, 100]) == [1, 2, 1]
