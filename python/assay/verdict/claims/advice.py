"""A recommendation: it stands while the claims that it rests on are supported, and falls with one of them."""

from __future__ import annotations

from collections.abc import Mapping

from assay.study import Hypothesis
from assay.verdict.decision import whole
from assay.verdict.results import HypothesisVerdict


def verdict(of: Hypothesis, because: Mapping[str, HypothesisVerdict | None]) -> HypothesisVerdict:
    """The outcome of what it rests on; a claim that is no claim itself leaves it open."""
    known = {name: one for name, one in because.items() if one is not None}
    outcome = whole(["undecided" if one is None else one.outcome for one in because.values()])
    how = {"supported": "Stands", "refuted": "Falls", "undecided": "Open"}[outcome]
    rests = ", ".join(f"{name} is {one.outcome}" for name, one in known.items())
    return HypothesisVerdict(
        claim=of.text,
        source=of.source,
        outcome=outcome,
        explanation=f"{how}: {rests}.",
        parts=tuple(part for one in known.values() for part in one.parts),
    )
