"""A ratio that is left out has its reason where it would stand, and lower bounds have their sign."""

from __future__ import annotations

import pytest
from assay.reporting.report.tables.cells import why_no_ratio
from assay.reporting.report.tables.model import Column, Figure, Ratio, Table
from assay.reporting.report.tables.write import shown, to_csv
from assay.reporting.report.words import load_words
from assay.results.verdict import Estimate


def estimate(values: tuple[float, ...], *doubts: str, first: int = 1) -> Estimate:
    blocks = tuple(enumerate(values, start=first))
    return Estimate("a", 8.0, "tps", "/s", values[0], None, None, blocks, doubts)


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        (estimate((100.0,), "not-reached"), estimate((100.0,)), "not-steady"),
        (estimate((100.0,)), estimate((100.0,), "pool-filling"), "not-steady"),
        (estimate((0.0,)), estimate((100.0,)), "zero"),
        (estimate((100.0,)), estimate((100.0,), first=2), "no-common-block"),
    ],
)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_why_two_estimates_are_not_compared(
    before: Estimate, after: Estimate, why: str, language: str
) -> None:
    assert why_no_ratio(before, after) == why
    words = load_words(language)
    assert words(f"word.{why}") in shown(Ratio(None, None, None, why), words)


def test_lower_bounds_have_their_sign_and_their_column() -> None:
    words = load_words("en")
    cells = (Figure(10_000.0, at_least=True), Ratio(113.6, None, None, "worse", bound="at-least"))
    assert [shown(cell, words)[:2] for cell in cells] == ["\u2265 ", "\u2265 "]
    table = Table("results", "p99", "p99", (Column("a", "a"), Column("r", "r", kind="ratio")), (cells,))
    assert to_csv(table).splitlines() == [
        "a,a low,a high,a bound,r,r low,r high,r verdict,r bound",
        "10000.0,,,at-least,113.6,,,worse,at-least",
    ]
    exact = Table("results", "p99", "p99", (Column("a", "a"),), ((Figure(1.0),),))
    assert to_csv(exact).splitlines()[0] == "a,a low,a high"
