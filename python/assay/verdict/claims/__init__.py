"""The verdict on each hypothesis: what was found at every load point and pair of treatments, then the whole.

What a kind of claim looks at is in a file of its own; `found` has a case for each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from assay.stats import Gate
from assay.study import ClaimPart, ComparisonClaim, EveryRunClaim, Study
from assay.study.claims import BestClaim, CauseClaim, CourseClaim, CrossoverClaim, KneeClaim
from assay.verdict import summing_up
from assay.verdict.claims import comparison, every_run
from assay.verdict.claims.finding import Finding, Judging
from assay.verdict.claims.weigh import weigh
from assay.verdict.decision import whole
from assay.verdict.observations import Observations
from assay.verdict.results import HypothesisVerdict
from assay.verdict.treatments import Treatment, loads_of


def judge_hypotheses(
    study: Study, seen: Observations, treatments: Sequence[Treatment], loads: Sequence[float], gate: Gate
) -> Iterator[HypothesisVerdict]:
    """One verdict for each hypothesis of the study, in its order."""
    for hypothesis in study.hypotheses:
        margin = study.verdict.margin if hypothesis.margin is None else hypothesis.margin
        findings: list[Finding] = []
        for claim in hypothesis.claims:
            at = loads_of(claim, loads)
            judging = Judging(seen, treatments, at, study.load.kind, gate.confidence, margin)
            for part in claim.parts:
                findings += found(part, judging)
        weighed = weigh(tuple(findings), seen, gate)
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


def found(claim: ClaimPart, judging: Judging) -> Iterator[Finding]:
    """Every part of a claim, by what its kind looks at."""
    match claim:
        case EveryRunClaim():
            return every_run.findings(claim, judging)
        case ComparisonClaim():
            return comparison.findings(claim, judging)
        case BestClaim() | CauseClaim() | CourseClaim() | CrossoverClaim() | KneeClaim():
            raise AssertionError("refused when the study is read")
        case _:
            assert_never(claim)
