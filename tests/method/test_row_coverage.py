"""Claims about a whole row of cells err no more often than one interval does, and find what is planted."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from assay.results.verdict import decision
from assay.results.verdict.decision import Statement, Within, asserted, refuted_together
from assay.results.verdict.shapes import Row, best, changes, extreme, flat, spread

STUDIES, BLOCKS, MARGIN = 400, 6, 0.02
Claim = Callable[[Row], Statement]


def outcomes(claim: Claim, levels: list[float], noise: float, seed: int = 1) -> dict[str, float]:
    """Shares of studies with each outcome; starts differ by 8 %, cells of one block by `noise` each."""
    random = np.random.default_rng(seed)
    shape = (STUDIES, BLOCKS, len(levels))
    logs = np.log(levels) + random.normal(0, 0.08, (*shape[:2], 1)) + random.normal(0, noise, shape)
    names = tuple(map(str, range(len(levels))))
    found = [judged(claim(Row(names, values, 0.95))) for values in np.exp(logs)]
    return {word: found.count(word) / STUDIES for word in ("supported", "refuted", "undecided")}


def judged(statement: Statement) -> str:
    """As a claim is weighed: support at the full level, refutation by Holm over all that is asserted."""
    parts = asserted(statement)
    if refuted_together([one.decide for one in parts], 0.95):
        return "refuted"
    return "supported" if all(one.decide(0.95) == "supported" for one in parts) else "undecided"


def rises(row: Row) -> Statement:
    return changes(row, "rises", MARGIN)


def level(row: Row) -> Statement:
    return flat(row, MARGIN)


def first_is_best(row: Row) -> Statement:
    return Within(best(row, "best"), frozenset({0}), "0")


def narrow(row: Row) -> Statement:
    return spread(row, "<", 0.05, MARGIN)


def peak(row: Row) -> Statement:
    return extreme(row, "max", ">", 100, MARGIN)


TRUE = [
    (rises, [100, 110, 120, 130, 140, 150, 160], 0.01),
    (level, [100, 100, 100, 100, 100, 100, 100], 0.003),
    (first_is_best, [110, 100, 100, 90], 0.01),
    (narrow, [100, 101, 100, 101], 0.005),
    (peak, [90, 200, 90, 90], 0.01),
]
FALSE = [
    (rises, [100, 110, 120, 100, 140, 150, 160], 0.01),
    (level, [100, 100, 100, 100, 100, 100, 120], 0.01),
    (first_is_best, [100, 110, 100, 90], 0.01),
    (narrow, [100, 101, 100, 115], 0.01),
    (peak, [50, 60, 50, 50], 0.01),
]
# On the edge: one step down by the margin, a pair the margin apart, two best, a spread of 5 %, a peak of 100.
EDGE = [
    (rises, [100, 120, 120 / 1.02, 140, 140 / 1.02, 160, 160 / 1.02], 0.01),
    (level, [100, 100, 100, 100, 100, 100, 102], 0.01),
    (first_is_best, [100, 100, 90, 90], 0.01),
    (narrow, [100, 105, 100, 100], 0.01),
    (peak, [100, 100, 100, 100], 0.01),
]
IDS = ["rises", "flat", "best", "spread", "max"]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("claim", "levels", "noise"), TRUE, ids=IDS)
def test_what_is_true_is_supported(claim: Claim, levels: list[float], noise: float) -> None:
    found = outcomes(claim, levels, noise)
    assert found["supported"] >= 0.9
    assert found["refuted"] <= 0.01


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("claim", "levels", "noise"), FALSE, ids=IDS)
def test_what_is_false_is_refuted(claim: Claim, levels: list[float], noise: float) -> None:
    found = outcomes(claim, levels, noise)
    assert found["refuted"] >= 0.9
    assert found["supported"] <= 0.01


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("claim", "levels", "noise"), EDGE, ids=IDS)
def test_on_the_edge_both_errors_are_as_rare_as_stated(
    claim: Claim, levels: list[float], noise: float
) -> None:
    """At most 5 % of sets, 2.5 % a side of an interval, and luck of 400 studies."""
    found = outcomes(claim, levels, noise)
    assert found["refuted"] <= 0.045
    assert found["supported"] <= 0.045


def test_without_holm_seven_rungs_would_refute_what_is_true(monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted fault: every step may refute at the full level."""
    claim, levels, noise = EDGE[0]
    monkeypatch.setattr(decision, "corrected", lambda confidence, _: confidence)
    assert outcomes(claim, levels, noise)["refuted"] > 0.045
