"""The verdict on each hypothesis: what was found at every load point and pair of treatments, then the whole.

How a kind of claim is looked at is in a file of its own. `found` is where a new kind gets its line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from assay.stats.region import Region, around
from assay.study import (
    Claim,
    EqualClaim,
    EveryRunClaim,
    LevelClaim,
    OrderClaim,
    RatioClaim,
    Study,
)
from assay.verdict import summing_up
from assay.verdict.claims.every_run import every_run
from assay.verdict.claims.finding import Finding, Judging
from assay.verdict.claims.levels import levels
from assay.verdict.claims.pairs import pairs
from assay.verdict.claims.weigh import weigh
from assay.verdict.decision import whole
from assay.verdict.observations import Observations
from assay.verdict.question import Question
from assay.verdict.results import HypothesisVerdict
from assay.verdict.treatments import Treatment


def judge_hypotheses(
    study: Study, seen: Observations, treatments: Sequence[Treatment], loads: Sequence[float]
) -> Iterator[HypothesisVerdict]:
    """One verdict for each hypothesis of the study, in its order."""
    for hypothesis in study.hypotheses:
        margin = study.verdict.margin if hypothesis.margin is None else hypothesis.margin
        judging = Judging(
            seen, treatments, hypothesis.at or loads, study.load.kind, study.verdict.confidence, margin
        )
        weighed = weigh(tuple(found(hypothesis.claim, judging)), seen, judging.confidence)
        parts = tuple(one.part for one in weighed)
        outcome = whole([part.outcome for part in parts])
        more, too_many = summing_up.most_needed(parts) if outcome == "undecided" else (None, False)
        yield HypothesisVerdict(
            claim=hypothesis.text,
            source=hypothesis.source,
            outcome=outcome,
            explanation=summing_up.summary(outcome, parts, [one.sentence for one in weighed], more, too_many),
            parts=parts,
            more_blocks=more,
            too_many_blocks=too_many,
        )


def found(claim: Claim, judging: Judging) -> Iterator[Finding]:
    """Every part of a claim."""
    treatments = around(1.0, judging.margin)
    match claim:
        case OrderClaim():
            question = Question(claim.relation, treatments, of_treatments=True)
            yield from pairs(claim.left, claim.right, question, judging)
        case EqualClaim():
            question = Question("~", treatments, of_treatments=True)
            yield from pairs(claim.left, claim.right, question, judging)
        case RatioClaim():
            yield from pairs(claim.numerator, claim.denominator, _with_figure(claim, judging.margin), judging)
        case LevelClaim():
            yield from levels(claim.term, _with_figure(claim, judging.margin), judging)
        case EveryRunClaim():
            yield from every_run(claim, judging)
        case _:
            assert_never(claim)


def _with_figure(claim: RatioClaim | LevelClaim, margin: float) -> Question:
    if claim.relation == "~":
        return Question("~", around(claim.value, margin))
    return Question(claim.relation, Region(claim.value, claim.value))
