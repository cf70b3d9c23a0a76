"""One treatment before another: greater by more than the margin, or not less by more than it."""

from __future__ import annotations

from collections.abc import Iterator

from assay.stats import around
from assay.study import OrderClaim
from assay.verdict.claims.finding import Finding, Judging
from assay.verdict.claims.pairs import pairs
from assay.verdict.question import Question


def findings(claim: OrderClaim, judging: Judging) -> Iterator[Finding]:
    """The ratio of every pair against the far edge of the region of indifference, or against the near one."""
    question = Question(claim.relation, around(1.0, judging.margin), of_treatments=True)
    return pairs(claim.left, claim.right, question, judging)
