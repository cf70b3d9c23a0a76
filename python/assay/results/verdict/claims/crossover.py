"""Judges claims about the rung from which on the second of two is ahead."""

from __future__ import annotations

from collections.abc import Iterator

from assay.design.study.claims import CrossoverClaim
from assay.results.verdict import shapes
from assay.results.verdict.claims.bindings import bindings
from assay.results.verdict.claims.finding import Finding, JudgingContext
from assay.results.verdict.claims.relation import row, said_along
from assay.results.verdict.claims.rows import gaps, in_words, located, not_measured
from assay.results.verdict.decision import Within
from assay.results.verdict.phrases import phrase


def findings(claim: CrossoverClaim, judging: JudgingContext) -> Iterator[Finding]:
    """Yields, for each pair, the rungs that may be the first at which the second leads: all must lie in the
    range, or none.
    """
    terms = (claim.first, claim.second)
    for cells in bindings(terms, (claim.axis,), judging):
        one, other = (row(term, cells, judging) for term in terms)
        both = shapes.common(one, other)
        if both is None or not both[0].relative or not both[1].relative:
            yield not_measured(claim.first, cells)
            continue
        wanted = gaps(both[0], claim.where, half_a_rung=True)
        statement = Within(shapes.crossover(*both), wanted, in_words(claim.where))
        one_of, other_of = (said_along(term, cells) for term in terms)
        name = phrase("point-crossover", one=one_of, other=other_of)
        yield located(name, cells, both[0], statement, judging, gap=True)
