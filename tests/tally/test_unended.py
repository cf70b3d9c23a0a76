"""Percentiles where some operations never ended: what is exact, and what is a lower bound."""

from __future__ import annotations

import numpy as np
import pytest
from assay.base.format.event import LabelTimes, UnendedTimes
from assay.base.tally import WindowTimes, decode, merge_windows
from assay.design.folder import response_times
from assay.design.folder.times import label_times
from assay.testing import histogram, run_result
from examples import given, settings, st

MS = 1_000_000
SHARES = (0.5, 0.9, 0.95, 0.99, 1.0)
TIMES = st.lists(st.integers(1, 10_000), max_size=40)


def times(known: list[int], bounds: list[int], lost: int = 0, failed: int = 0) -> WindowTimes:
    held = decode(histogram(ms * MS for ms in bounds)) if bounds else None
    return WindowTimes(decode(histogram(ms * MS for ms in [*known, *bounds])), held, lost, failed)


@settings(max_examples=60)
@given(TIMES, TIMES, st.integers(0, 5), st.integers(1, 1000))
def test_a_percentile_is_never_above_the_truth_and_an_exact_one_not_below(
    known: list[int], bounds: list[int], lost: int, longer: int
) -> None:
    """The truth is any course that the operations could have taken: each longer than its bound."""
    if not known and not bounds:
        return
    truth = [*known, *(bound * longer for bound in bounds), *([10**9] * lost)]
    found = times(known, bounds, lost).percentiles(SHARES)
    ranked = np.percentile(truth, [100 * share for share in SHARES], method="inverted_cdf")
    for one, true_ms in zip(found, ranked, strict=True):
        assert one.ms <= true_ms * 1.002
        assert one.at_least or one.ms >= true_ms * 0.985


def test_where_all_ended_nothing_is_a_bound() -> None:
    found = times([1, 2, 3], [])
    assert not any(one.at_least for one in (*found.percentiles(SHARES), found.mean, found.max))


@pytest.mark.parametrize(
    ("planted", "bounds_of"),
    [
        # What became of 450 of 1,000 arrivals: which of these percentiles are lower bounds.
        ({"abandoned": 450}, {0.95, 0.99}),
        ({"dropped": 450}, {0.95, 0.99}),
        ({"failed": 450}, {0.95, 0.99}),
        ({"abandoned": 150, "dropped": 150, "failed": 150}, {0.95, 0.99}),
        ({"abandoned": 30}, {0.99}),
        ({"failed": 30}, {0.99}),
        ({"abandoned": 3}, set()),
    ],
)
def test_one_rule_for_whatever_did_not_end(planted: dict[str, int], bounds_of: set[float]) -> None:
    """An engine that kept no times of them is not known to have had none."""
    quick = histogram([MS] * (1000 - sum(planted.values())))
    whole = LabelTimes(count=550, service=quick, response=quick)
    result = run_result(labels={"transaction": whole}, **planted)
    found = response_times(result)
    assert found is not None
    assert {share for share in (0.5, 0.95, 0.99) if found.percentile(share).at_least} == bounds_of
    assert found.max.at_least is bool(planted.keys() - {"failed"})
    assert found.beyond(100.0) == (sum(planted.values()), 1000)


def test_the_bounds_of_the_engine_are_among_its_times() -> None:
    known, in_flight, waiting = [20 * MS] * 94, [4000 * MS] * 38, [11_000 * MS] * 40
    unended = UnendedTimes(
        count=78,
        service=histogram(in_flight),
        wait=histogram(waiting),
        response=histogram(in_flight + waiting),
    )
    whole = LabelTimes(
        count=94,
        service=histogram(known + in_flight),
        wait=histogram([MS] * 132 + waiting),
        response=histogram(known + in_flight + waiting),
        unended=unended,
    )
    result = run_result(labels={"transaction": whole}, abandoned=38, dropped=40, latency="response")
    seen = {of: label_times(result, whole, of) for of in ("service", "wait", "response")}
    assert {of: (one.known.total, one.unended, one.total) for of, one in seen.items() if one} == {
        "service": (94, 38, 132),
        "wait": (132, 40, 172),
        "response": (94, 78, 172),
    }
    p50, p95 = (seen["response"].percentile(share) for share in (0.5, 0.95))  # type: ignore[union-attr]
    assert (p50.at_least, round(p50.ms)) == (False, 20)
    assert (p95.at_least, p95.ms) == (True, pytest.approx(11_000, rel=0.002))


def test_parts_of_a_window_make_the_whole() -> None:
    parts = [times([1, 5], [9], 1), times([2], [], failed=2), times([3, 4], [8, 7])]
    whole = times([1, 2, 3, 4, 5], [9, 8, 7], 1, 2)
    merged = merge_windows(parts)
    assert merged.percentiles(SHARES) == whole.percentiles(SHARES)
    assert (merged.total, merged.unended) == (whole.total, whole.unended)
