"""The verdict on each hypothesis: what was found at every load point and pair of treatments, then the whole.

What a kind of claim looks at is in a file of its own; `found` has a case for each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from assay.stats import Gate
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
from assay.verdict.claims import equal, every_run, level, order, ratio
from assay.verdict.claims.finding import Finding, Judging
from assay.verdict.claims.weigh import weigh
from assay.verdict.decision import whole
from assay.verdict.observations import Observations
from assay.verdict.results import HypothesisVerdict
from assay.verdict.treatments import Treatment


def judge_hypotheses(
    study: Study, seen: Observations, treatments: Sequence[Treatment], loads: Sequence[float], gate: Gate
) -> Iterator[HypothesisVerdict]:
    """One verdict for each hypothesis of the study, in its order."""
    for hypothesis in study.hypotheses:
        margin = study.verdict.margin if hypothesis.margin is None else hypothesis.margin
        judging = Judging(seen, treatments, hypothesis.at or loads, study.load.kind, gate.confidence, margin)
        weighed = weigh(tuple(found(hypothesis.claim, judging)), seen, gate)
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
    """Every part of a claim, by what its kind looks at."""
    match claim:
        case RatioClaim():
            return ratio.findings(claim, judging)
        case EveryRunClaim():
            return every_run.findings(claim, judging)
        case LevelClaim():
            return level.findings(claim, judging)
        case EqualClaim():
            return equal.findings(claim, judging)
        case OrderClaim():
            return order.findings(claim, judging)
        case _:
            assert_never(claim)
