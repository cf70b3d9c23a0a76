"""Judges claims about which point of an axis is best."""

from __future__ import annotations

from collections.abc import Iterator

from assay.design.study.claims import BestClaim
from assay.results.verdict import shapes
from assay.results.verdict.claims.bindings import bindings
from assay.results.verdict.claims.finding import Finding, JudgingContext
from assay.results.verdict.claims.relation import row, said_along
from assay.results.verdict.claims.rows import in_words, located, missing, wanted
from assay.results.verdict.decision import Within
from assay.results.verdict.observations import higher_is_better
from assay.results.verdict.phrases import phrase


def findings(claim: BestClaim, judging: JudgingContext) -> Iterator[Finding]:
    """Yields, for each row of cells, the cells that no other beats: all of them must be wanted, or none.
    Lower latency is better.
    """
    largest = (claim.word == "best") == higher_is_better(claim.term.measure)
    for cells in bindings((claim.term,), (claim.axis,), judging):
        along = row(claim.term, cells, judging)
        if (none := missing(claim.term, cells, along)) is not None:
            yield none
            continue
        answers = shapes.best(along, "best" if largest else "worst")
        here = wanted(along, claim.where)
        if claim.negated:
            here = frozenset(range(len(along.names))) - here
        words = in_words(claim.where)
        if claim.negated:
            words = phrase("wanted-other", wanted=words)
        statement = Within(answers, here, words)
        name = phrase(f"point-{claim.word}", of=said_along(claim.term, cells))
        yield located(name, cells, along, statement, judging)
