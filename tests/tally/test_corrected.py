"""Percentiles of a closed loop with the operations that it would have sent."""

from __future__ import annotations

import numpy as np
import pytest
from assay.base.tally import Gap, corrected_percentiles, decode
from assay.testing.builders import histogram

MS = 1_000_000
SHARES = [0.5, 0.95, 0.99, 0.999]


def test_nothing_changes_where_every_time_is_below_the_interval() -> None:
    times = decode(histogram(np.linspace(1, 2, 1000) * MS))
    assert corrected_percentiles(times, SHARES, 3.0 * MS, []) == pytest.approx(times.percentiles(SHARES))


def test_a_long_time_stands_for_all_that_was_not_sent() -> None:
    """One connection answers each 1 ms for 99 s, then stops for 1 s: an open client has 1 % up to 1 s."""
    times = decode(histogram([1 * MS] * 99_000 + [1000 * MS]))
    p50, p95, p99, p999 = corrected_percentiles(times, SHARES, 1.0 * MS, [])
    assert (p50, p95) == pytest.approx((1 * MS, 1 * MS), rel=0.01)
    assert p99 < 20 * MS
    assert p999 == pytest.approx(900 * MS, rel=0.01)  # a tenth of the second is beyond
    assert times.percentiles([0.999])[0] < 2 * MS


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_it_is_what_the_added_operations_give(seed: int) -> None:
    random = np.random.default_rng(seed)
    values, every = np.round(random.lognormal(0, 1.5, 2000) * MS), 1.5 * MS
    added = [v - k * every for v in values for k in range(1, int(v // every)) if v - k * every >= every]
    wanted = decode(histogram([int(v) for v in [*values, *added]])).percentiles(SHARES)
    found = corrected_percentiles(decode(histogram([int(v) for v in values])), SHARES, every, [])
    assert found == pytest.approx(wanted, rel=0.02)


def test_seconds_without_an_answer_count_where_no_time_shows_them() -> None:
    times = decode(histogram([1 * MS] * 900))
    (p95,) = corrected_percentiles(times, [0.95], 2.0 * MS, [Gap(100.0, 1000 * MS)])
    assert p95 == pytest.approx(500 * MS, rel=0.02)  # half of the lacking tenth
