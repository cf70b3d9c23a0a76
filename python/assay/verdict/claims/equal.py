"""Two treatments that are the same within the margin."""

from __future__ import annotations

from collections.abc import Iterator

from assay.stats import around
from assay.study import EqualClaim
from assay.verdict.claims.finding import Finding, Judging
from assay.verdict.claims.pairs import pairs
from assay.verdict.question import Question


def findings(claim: EqualClaim, judging: Judging) -> Iterator[Finding]:
    """The ratio of every pair against both edges of the region of indifference."""
    return pairs(
        claim.left, claim.right, Question("~", around(1.0, judging.margin), of_treatments=True), judging
    )
