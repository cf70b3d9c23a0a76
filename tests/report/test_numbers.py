"""Figures as people read them."""

from __future__ import annotations

import pytest
from assay.base import numbers


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
        (0.0000012, "0.00000120"),
        (0.00000012, "1.20 × 10⁻⁷"),
        (11430.0, "11,430"),
    ],
)
def test_number(value: float | None, text: str) -> None:
    assert numbers.number(value) == text


def test_a_symmetric_interval_is_plus_minus_and_a_lopsided_one_shows_both_ends() -> None:
    assert numbers.with_interval(12.5, 12.0, 13.0) == "12.5 ± 0.5"
    assert numbers.with_interval(12.0, 11.5, 14.2) == "12.0 [11.5, 14.2]"
    assert numbers.with_interval(12.0, None, None) == "12"
    rounded = numbers.with_interval(230.86058, 230.86057999999997, 230.86058000000003)
    assert rounded == numbers.with_interval(230.86058, 230.86058, 230.86058) == "230.9 ± 0"


def test_a_narrow_interval_is_not_written_as_zero() -> None:
    text = numbers.with_interval(1.0, 0.99996, 1.00004)
    assert text == "1.00000 ± 0.00004"


@pytest.mark.parametrize(
    ("value", "low", "high", "text"),
    [
        (16.56, 15.19, 18.05, "17 [15, 18]"),
        (1.671, 1.236, 2.260, "1.7 [1.2, 2.3]"),
        (1.0, 0.98, 1.0204, "1.00 [0.98, 1.02]"),
        (0.85, 0.75, 0.9523, "0.85 [0.75, 0.95]"),  # with one digit it would reach 1
        (5.54e-6, 4.95e-6, 6.2e-6, "1/180,000 [1/200,000, 1/160,000]"),
        (1043.7, None, None, "1,044"),
        (1.0437, None, None, "1.044"),
    ],
)
def test_a_ratio_has_as_many_digits_as_its_interval_allows(
    value: float, low: float | None, high: float | None, text: str
) -> None:
    assert numbers.ratio_with_interval(value, low, high) == text


def test_no_end_moves_to_the_other_side_of_what_it_is_compared_with() -> None:
    assert numbers.bracketed(11.0, 9.6, 12.4) == "11 [10, 12]"
    assert numbers.bracketed(11.0, 9.6, 12.4, [10.0]) == "11.0 [9.6, 12.4]"
    assert numbers.bracketed(0.4, 0.02, 0.9) == "0.40 [0.02, 0.90]"


@pytest.mark.parametrize(
    ("share", "text"), [(0.9996, "99.96"), (0.95, "95"), (0.39, "39"), (0.072, "7.2"), (1.0, "100")]
)
def test_a_share_below_one_is_never_all(share: float, text: str) -> None:
    assert numbers.share(share) == text


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (1234567.8, 6, "1234570"),
        (1.5e-7, 3, "0.00000015"),
        (12.5, 6, "12.5"),
        (2e9, 5, "2000000000"),
        (0, 3, "0"),
    ],
)
def test_a_figure_of_so_many_digits_has_no_exponent(value: float, digits: int, text: str) -> None:
    assert numbers.plain(value, digits) == text


@pytest.mark.parametrize(("seconds", "text"), [(20, "20 s"), (200, "3 min 20 s"), (7500, "2 h 05 min")])
def test_duration(seconds: float, text: str) -> None:
    assert numbers.duration(seconds) == text
