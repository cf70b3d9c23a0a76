"""How many times as much one treatment has as another, against a figure."""

from __future__ import annotations

from collections.abc import Iterator

from assay.study import RatioClaim
from assay.verdict.claims.finding import Finding, Judging
from assay.verdict.claims.pairs import pairs
from assay.verdict.question import with_figure


def findings(claim: RatioClaim, judging: Judging) -> Iterator[Finding]:
    """The ratio of every pair against the claim's figure."""
    question = with_figure(claim.relation, claim.value, judging.margin)
    return pairs(claim.numerator, claim.denominator, question, judging)
