"""Sides held against each other, one relation after another."""

from __future__ import annotations

from collections.abc import Iterator

from assay.stats import around
from assay.study import ComparisonClaim, Term
from assay.study.claims import Figure, Link, Quotient
from assay.verdict.claims import level
from assay.verdict.claims.finding import Finding, Judging
from assay.verdict.claims.pairs import pairs
from assay.verdict.question import Question, with_figure


def findings(claim: ComparisonClaim, judging: Judging) -> Iterator[Finding]:
    """What is found of every relation, from left to right."""
    for link in claim.links:
        yield from _of_link(link, judging)


def _of_link(link: Link, judging: Judging) -> Iterator[Finding]:
    """The ratio of every pair against the region of indifference, or a level or ratio against a figure."""
    relation = link.relation
    assert relation != "!~"
    match link.left, link.right:
        case Term() as left, Term() as right:
            question = Question(relation, around(1.0, judging.margin), of_treatments=True)
            return pairs(left, right, question, judging)
        case Quotient(numerator, denominator), Figure(value):
            return pairs(numerator, denominator, with_figure(relation, value, judging.margin), judging)
        case Term() as term, Figure(value):
            return level.findings(term, relation, value, judging)
    raise AssertionError("refused when the study is read")
