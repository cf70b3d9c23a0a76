"""Lines of ledgers: where nothing differs nothing is named, and what was planted is."""

from __future__ import annotations

import numpy as np
import pytest
from assay.results.stats import Gate, shifts

from scripts.ledger_lines import Truth, ledgers, rates

LEDGERS = 400


def test_where_nothing_differs_few_ledgers_name_a_line() -> None:
    """At most 5 % of ledgers (here 400, with a standard error of 1.1 %); intervals and limits hold."""
    found = rates(Truth(blocks=8), LEDGERS)
    assert found.false <= 0.075
    assert found.limits >= 0.925
    assert found.coverage == pytest.approx(0.95, abs=0.012)


@pytest.mark.parametrize(
    ("truth", "least"),
    [(Truth(8, 4_500, 0.015), 0.90), (Truth(8, 45_000, 0.010), 0.90)],
    ids=["1.5 % of CPU at 99 Hz", "1 % of CPU at 999 Hz"],
)
def test_a_planted_change_is_named_in_nine_of_ten_ledgers(truth: Truth, least: float) -> None:
    found = rates(truth, 150)
    assert found.group >= least
    assert found.function >= least - 0.05
    assert found.false <= 0.12  # groups and functions are two levels, each at 5 %


def test_samples_are_no_experiments() -> None:
    """What a test of merged profiles names although nothing differs: 43 % of ledgers with so many samples."""
    assert rates(Truth(8, 45_000), 60).binomial > 0.25


def test_lines_add_up_to_what_was_measured() -> None:
    for one in ledgers(Truth(8, 4_500, 0.01), 3):
        lines, measured = one.sums
        assert lines == pytest.approx(measured, rel=1e-9)


def test_verdicts_wait_for_their_blocks_and_looks_widen_intervals() -> None:
    values = [np.array([5.0, 5.1, 4.9, 5.2, 4.8, 5.05]), np.array([0.1, -0.1, 0.05, -0.05, 0.02, -0.02])]
    first, second = shifts(values, Gate.of(0.95))
    assert (first.moved, second.moved) == (True, False)
    assert second.limit is not None
    assert second.high is not None
    assert second.limit > second.high
    assert second.detectable is not None
    assert 0 < second.detectable < 0.3
    for early in shifts([one[:5] for one in values], Gate.of(0.95)):
        assert (early.moved, early.limit, early.p) == (False, None, None)
        assert early.low is not None
    (wary, _) = shifts(values, Gate(0.95, 6, sequential=True))
    assert wary.high is not None
    assert first.high is not None
    assert wary.high > first.high
    (alone,) = shifts([values[0][:1]], Gate.of(0.95))
    assert (alone.value, alone.low, alone.moved) == (5.0, None, False)
