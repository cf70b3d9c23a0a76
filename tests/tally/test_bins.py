"""What is read without numpy is what is read with it."""

from __future__ import annotations

import math

import pytest
from assay.base.tally import WindowTimes, bins_of, decode
from assay.testing import histogram
from examples import given, settings, st

SHARES = (0.001, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 1.0)
TIMES = st.lists(st.integers(1, 10**13), max_size=30)


def same(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=1e-12) or (math.isnan(one) and math.isnan(other))


@settings(max_examples=60)
@given(TIMES, TIMES, st.integers(0, 5), st.floats(0, 1e13))
def test_both_say_the_same_of_a_window(known: list[int], bounds: list[int], lost: int, limit: float) -> None:
    whole, part = (histogram(values) for values in ([*known, *bounds], bounds))
    arrays, plain = decode(whole), bins_of(whole)
    for name in ("total", "mean", "min", "max"):
        assert same(getattr(plain, name), getattr(arrays, name)), name
    assert plain.beyond(limit) == arrays.beyond(limit)
    for edges in ([limit], sorted([limit, limit / 2, *map(float, known[:3])])):
        assert plain.counts_between(edges) == arrays.counts_between(edges)
    for total in (len(known) + len(bounds) + lost, 100):
        if total:
            found = plain.percentiles_among(SHARES, total)
            assert found == arrays.percentiles_among(SHARES, total).tolist()
    one = WindowTimes(plain, bins_of(part) if bounds else None, lost)
    other = WindowTimes(arrays, decode(part) if bounds else None, lost)
    assert (one.total, one.unended, one.beyond(limit / 1e6)) == (
        other.total,
        other.unended,
        other.beyond(limit / 1e6),
    )
    if known or bounds:
        assert one.percentiles(SHARES) == other.percentiles(SHARES)


def test_an_empty_window_has_no_time() -> None:
    empty = bins_of(histogram([]))
    assert empty.total == 0
    assert all(map(math.isnan, [empty.mean, empty.min, empty.max, *empty.percentiles(SHARES)]))


@pytest.mark.parametrize("text", ["", "AAAA", histogram([5, 7])[:-8]])
def test_what_is_no_histogram_is_refused_by_both(text: str) -> None:
    for read in (decode, bins_of):
        with pytest.raises(ValueError):  # noqa: PT011
            read(text)
