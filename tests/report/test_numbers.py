"""Figures as people read them."""

from __future__ import annotations

import pytest
from assay.reporting.report import numbers


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (float("nan"), "–"),
        (0, "0"),
        (7, "7"),
        (0.18234, "0.182"),
        (3.14159, "3.142"),
        (99.99, "99.99"),
        (1234.4, "1,234"),
        (1234567.8, "1,234,568"),
        (-12.345, "−12.35"),
        (0.0000012, "1.20e−06"),
    ],
)
def test_number(value: float | None, text: str) -> None:
    assert numbers.number(value) == text


def test_a_symmetric_interval_is_plus_minus_and_a_lopsided_one_shows_both_ends() -> None:
    assert numbers.with_interval(12.5, 12.0, 13.0) == "12.50 ± 0.50"
    assert numbers.with_interval(12.0, 11.5, 14.2) == "12.00 [11.50, 14.20]"
    assert numbers.with_interval(12.0, None, None) == "12"
    rounded = numbers.with_interval(230.86058, 230.86057999999997, 230.86058000000003)
    assert rounded == numbers.with_interval(230.86058, 230.86058, 230.86058) == "230.9 ± 0.0"


def test_a_narrow_interval_is_not_written_as_zero() -> None:
    text = numbers.with_interval(1.0, 0.99996, 1.00004)
    assert text == "1.00000 ± 0.00004"


def test_ratios_near_one_have_three_decimals() -> None:
    assert numbers.ratio_with_interval(1.0, 0.98, 1.0204) == "1.000 [0.980, 1.020]"
    assert numbers.ratio(1043.7) == "1,044"


@pytest.mark.parametrize(("seconds", "text"), [(20, "20 s"), (200, "3 min 20 s"), (7500, "2 h 05 min")])
def test_duration(seconds: float, text: str) -> None:
    assert numbers.duration(seconds) == text
