"""Claims over times that are lower bounds: "above" may be supported, "below" and "the same" never."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from believed import ONE, TWO, believed
from spoken import english

LOW, HIGH = [88.0, 88.4, 87.7, 88.1, 88.3, 87.9], [12_000.0, 12_100.0, 11_950.0, 12_020.0, 11_990.0, 12_050.0]
A, B = (ONE, 8.0), (TWO, 8.0)


@pytest.mark.parametrize(
    ("claim", "values", "at_least", "outcome"),
    [
        ("p99_ms[a=1] < 100", (LOW, HIGH), [], "supported"),
        ("p99_ms[a=1] < 100", (LOW, HIGH), [A], "undecided"),
        ("p99_ms[a=1] <= 100", (LOW, HIGH), [A], "undecided"),
        ("p99_ms[a=1] > 50", (LOW, HIGH), [A], "supported"),
        ("p99_ms[a=1] > 100", (LOW, HIGH), [A], "undecided"),  # 88 ms does not refute it
        ("p99_ms[a=2] < 100", (LOW, HIGH), [B], "refuted"),
        ("p99_ms[a=1] < 100", (LOW, HIGH), [B], "supported"),  # bounds elsewhere change nothing
        ("p99_ms[a=2] > p99_ms[a=1]", (LOW, HIGH), [B], "supported"),
        ("p99_ms[a=2] > p99_ms[a=1]", (LOW, HIGH), [A], "undecided"),
        ("p99_ms[a=2] > p99_ms[a=1]", (LOW, HIGH), [A, B], "undecided"),
        ("p99_ms[a=2]/p99_ms[a=1] >= 3", (LOW, HIGH), [B], "supported"),
        ("p99_ms[a=2]/p99_ms[a=1] < 200", (LOW, HIGH), [B], "undecided"),
        ("p99_ms[a=2] ~ p99_ms[a=1]", (LOW, LOW), [B], "undecided"),
        ("p99_ms[a=2] ~ p99_ms[a=1]", (LOW, HIGH), [A], "undecided"),
        ("p99_ms[a=1] < 100 in every run", (LOW, HIGH), [A], "undecided"),
        ("p99_ms[a=1] > 50 in every run", (LOW, HIGH), [A], "supported"),
        ("p99_ms[a=2] < 100 in every run", (LOW, HIGH), [B], "refuted"),
    ],
)
def test_a_claim_rests_on_a_bound_only_where_the_truth_cannot_change_it(
    claim: str,
    values: tuple[Sequence[float], Sequence[float]],
    at_least: list[tuple[str, float]],
    outcome: str,
) -> None:
    cells = {A: values[0], B: values[1]}
    found = believed(claim, cells, measure="p99_ms", at_least=at_least)
    assert found.outcome == outcome, english(found.explanation)
    if at_least and outcome == "undecided" and believed(claim, cells, measure="p99_ms").outcome != outcome:
        assert "lower bounds" in english(found.explanation)
