"""Forms that can be read and are not judged yet: a study that has one is refused."""

from __future__ import annotations

from collections.abc import Iterator

from assay.study.claims.axes import At
from assay.study.claims.best import BestClaim
from assay.study.claims.cause import CauseClaim
from assay.study.claims.claim import Claim
from assay.study.claims.comparison import ComparisonClaim, Link
from assay.study.claims.course import CourseClaim
from assay.study.claims.crossover import CrossoverClaim
from assay.study.claims.kind import nodes
from assay.study.claims.knee import KneeClaim
from assay.study.claims.sides import Figure, Quotient
from assay.study.claims.terms import Among, Summary, Term

UNJUDGED = (BestClaim, CauseClaim, CourseClaim, CrossoverClaim, KneeClaim)


def not_judged_yet(claim: Claim) -> Iterator[str]:
    """A sentence for each piece of a claim that no verdict knows yet."""
    if claim.window is not None:
        yield f'"{claim.window}" is not judged yet'
    for part in claim.parts:
        if isinstance(part, UNJUDGED):
            yield f'"{part}" is not judged yet'
        for link in part.links if isinstance(part, ComparisonClaim) else ():
            if not _known(link):
                yield f'"{part}" is not judged yet'
    for node in nodes(claim):
        if isinstance(node, Summary) or (isinstance(node, Among) and node.word == "some"):
            yield f'"{node}" is not judged yet'
        if isinstance(node, At) and (node.some or not node.axis.is_load):
            yield f'"{node}" is not judged yet'
    for term in claim.terms:
        if term.measure.startswith(("status.", "fact.")):
            yield f'"{term.measure}" is not judged yet'


def _known(link: Link) -> bool:
    if link.by is not None or link.relation == "!~":
        return False
    return (isinstance(link.left, Term) and isinstance(link.right, Term | Figure)) or (
        isinstance(link.left, Quotient) and isinstance(link.right, Figure)
    )
