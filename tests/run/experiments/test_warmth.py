"""When is a server warm?"""

from __future__ import annotations

import pytest
from assay.run.experiments.warmth import curve


def test_the_last_second_below_95_percent_ends_the_warm_up() -> None:
    measured = curve([10, 20, 50, 90, 94, 100, 100, 101, 99, 100, 100, 100])
    assert measured["steady_tps"] == pytest.approx(100)
    assert measured["first_second_pct"] == pytest.approx(10)
    assert measured["warm_s"] == 5


def test_a_warm_server_is_warm_at_once() -> None:
    assert curve([100] * 12)["warm_s"] == 0


def test_one_bad_second_of_the_machine_is_no_warm_up() -> None:
    assert curve([100, 100, 100, 30, 100, 100, 100, 100, 100, 100])["warm_s"] == 0


def test_too_short_a_series_says_nothing() -> None:
    assert curve([1, 2, 3]) == {}
    assert curve([0.0] * 12) == {}
