"""A recommendation's verdict follows from the claims on which it rests."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from assay.design.study import parse_study
from assay.design.study.measures import MEASURES
from assay.results.stats.region import Gate
from assay.results.verdict.claims import judge_hypotheses
from assay.results.verdict.observations import Observations
from believed import ONE, STUDY, TREATMENTS, TWO
from spoken import english

TEXT = (
    STUDY.format(loads=[1], confidence=0.95)
    + """
[[hypothesis]]
id = "faster"
claim = "tps[a=2] > tps[a=1]"
[[hypothesis]]
id = "enough"
claim = "tps[a=2] > 50"
[[hypothesis]]
advice = "a = 2"
because = ["faster", "enough"]
"""
)


@pytest.mark.parametrize(
    ("second", "outcome", "said"),
    [
        ([150, 151, 149, 150, 152, 148], "supported", "Stands: faster is supported, enough is supported."),
        ([90, 91, 89, 90, 92, 88], "refuted", "Falls: faster is refuted, enough is supported."),
        ([60, 180, 70, 150, 90, 140], "undecided", "Open: faster is undecided, enough is supported."),
    ],
)
def test_advice_follows_its_claims(second: Sequence[float], outcome: str, said: str) -> None:
    study = parse_study(TEXT, Path("/nowhere/s.toml"))
    first = [100, 101, 99, 100, 102, 98]
    values = {
        ("tps", name, 1.0): dict(enumerate(map(float, row), start=1))
        for name, row in ((ONE, first), (TWO, second))
    }
    seen = Observations(values, {"tps": MEASURES["tps"]})
    faster, _, advised = judge_hypotheses(study, seen, TREATMENTS, (1.0,), Gate.of(0.95))
    assert (advised.claim, advised.outcome) == ("a = 2", outcome)
    assert english(advised.explanation) == said
    assert advised.more_blocks == faster.more_blocks
