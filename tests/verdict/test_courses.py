"""A figure of a part of a window is what the part would have had if it had been measured alone."""

from __future__ import annotations

import numpy as np
import pytest
from assay.base.tally import decode, merge
from assay.design.study.claims import Summary, Window
from assay.results.verdict.courses import Course, Slice, TimesByInterval
from assay.testing import histogram
from examples import given, settings, st

SECONDS = st.lists(st.lists(st.integers(1, 500), max_size=6), min_size=1, max_size=12)
PARTS = (Window("first", 3.0), Window("last", 4.0), Slice(0, 2), Slice(1, 2))


def course(times_ms: list[list[int]], share: float | None, **more: object) -> Course:
    """A course with these times in each second."""
    held = [decode(histogram(ms * 1_000_000 for ms in one)) if one else None for one in times_ms]
    counts = np.array([float(len(one)) for one in times_ms])
    begins = np.arange(len(times_ms), dtype=float)
    nothing = np.full(len(times_ms), np.nan)
    return Course(begins, np.ones(len(times_ms)), nothing, {}, TimesByInterval(share, held, counts, **more))  # type: ignore[arg-type]


@settings(max_examples=40)
@given(SECONDS, st.sampled_from([0.5, 0.95, 0.99, None]), st.sampled_from(PARTS))
def test_times_of_a_part_are_those_of_all_its_operations(
    times_ms: list[list[int]], share: float | None, part: Window | Slice
) -> None:
    found = course(times_ms, share).part(part)
    if found is None:
        assert isinstance(part, Slice)
        assert len(times_ms) < part.count
        return
    seconds = [times_ms[int(begin)] for begin in found.begin_s]
    every = [ms for one in seconds for ms in one]
    figure = found.figure()
    if not every:
        assert figure is None, "nothing ended: there is no figure, and none is left out in silence"
        return
    assert figure is not None
    true = np.mean(every) if share is None else np.percentile(every, 100 * share, method="inverted_cdf")
    assert figure[0] == pytest.approx(true, rel=0.002)
    assert not figure[1]


def test_a_stalled_second_counts_by_its_operations() -> None:
    stalled = [[1] * 10] * 59 + [[100] * 1000]
    for share, true in ((0.99, 100.0), (0.5, 100.0), (None, 63.3)):
        figure = course(stalled, share).figure()
        assert figure is not None
        assert figure[0] == pytest.approx(true, rel=0.002)
    found = course(stalled, 0.99).summary(Summary("max", 10.0))
    assert found == pytest.approx(100.0, rel=0.002)


def test_what_never_ended_may_be_of_any_part() -> None:
    for lost, at_least in ((0, False), (1, False), (40, True)):
        found = course([[2] * 100] * 10, 0.95, lost=lost).part(Window("last", 4.0))
        assert found is not None
        figure = found.figure()
        assert figure is not None
        assert figure[0] == pytest.approx(2.0, rel=0.002)
        assert figure[1] is at_least


def test_a_slice_in_which_nothing_ended_is_not_passed_over() -> None:
    assert course([[1], [1], [], [1]], 0.95).summary(Summary("cv", 1.0)) is None
    assert course([[1], [1], [2], [1]], 0.95).summary(Summary("cv", 1.0)) is not None


def test_percentiles_that_another_tool_printed_are_not_averaged() -> None:
    printed = TimesByInterval(0.95, [], np.array([10.0, 1000.0]), is_printed=True)
    two = Course(np.array([0.0, 10.0]), np.full(2, 10.0), np.array([1.0, 100.0]), {}, printed)
    assert two.figure() is None
    one = two.part(Window("last", 10.0))
    assert one is not None
    assert one.figure() == (100.0, False)
    mean = Course(
        two.begin_s,
        two.seconds,
        two.values,
        {},
        TimesByInterval(None, [], printed.operations, is_printed=True),
    )
    figure = mean.figure()
    assert figure is not None
    assert figure[0] == pytest.approx((10 * 1.0 + 1000 * 100.0) / 1010)


def test_a_rate_is_the_mean_over_the_time() -> None:
    of = Course(np.array([0.0, 1.0]), np.array([1.0, 0.5]), np.array([100.0, 10.0]), {})
    figure = of.figure()
    assert figure is not None
    assert figure[0] == pytest.approx((100 + 5) / 1.5)
    assert merge([decode(histogram([1]))]).total == 1
