"""Counts, sizes and lengths of time, in one form everywhere."""

from __future__ import annotations

import pytest
from assay.base.numbers import given, number
from assay.base.wording import counted, duration, plural_of, sized


@pytest.mark.parametrize(
    ("count", "noun", "text"),
    [
        (0, "run", "0 runs"),
        (1, "run", "1 run"),
        (1200, "run", "1,200 runs"),
        (2, "query", "2 queries"),
        (2, "day", "2 days"),
        (1, "query", "1 query"),
    ],
)
def test_counts(count: int, noun: str, text: str) -> None:
    assert counted(count, noun) == text


def test_plurals_of_their_own() -> None:
    assert plural_of(2, "index", "indexes") == "indexes"


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 bytes"),
        (1, "1 byte"),
        (1536, "1.5 KiB"),
        (50 << 30, "50 GiB"),
        (999 << 20, "999 MiB"),
        (1 << 40, "1.00 TiB"),
    ],
)
def test_sizes(count: int, text: str) -> None:
    assert sized(count) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(6, "6 s"), (60, "1 min"), (66, "1 min 06 s"), (3600, "1 h"), (7500, "2 h 05 min"), (3.6e6, "1,000 h")],
)
def test_lengths_of_time(seconds: float, text: str) -> None:
    assert duration(seconds) == text


@pytest.mark.parametrize("power", range(-6, 13))
def test_a_figure_has_no_exponent_where_people_write_none(power: int) -> None:
    for digits in (1.0, 1.143, 9.9996):
        value = digits * 10.0**power
        for written in (number(value), given(value)):
            assert "e" not in written
            assert float(written.replace(",", "")) == pytest.approx(value, rel=0.005)


def test_an_edge_is_written_as_the_claim_has_it_with_commas() -> None:
    assert [given(value) for value in (12600.0, 0.95, 2, 11428.571, 1e6)] == [
        "12,600", "0.95", "2", "11,429", "1,000,000",
    ]  # fmt: skip
