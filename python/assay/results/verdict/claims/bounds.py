"""Keeps claims from resting on lower bounds as if they were the times themselves.

The value of a percentile is a lower bound where operations never ended: the true one may be any above. A
claim is judged once as the values are, and once for each cell with bounds as if they were far below the
truth. Only what all of these say is an outcome: "above 100 ms" can be supported by a bound, "below 100 ms"
cannot. Between the two the outcome of a relation with one side cannot change and change back; that of "about
the same", of a best point, or of a course along an axis can, and there is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assay.design.study import EveryRunClaim, Term
from assay.design.study.claims import Axis, Claim, ComparisonClaim, Extreme, ObjectiveClaim, Quotient, nodes
from assay.results.verdict.claims.finding import Finding
from assay.results.verdict.claims.weigh import JudgedPart
from assay.results.verdict.observations import Cell, Observations
from assay.results.verdict.phrases import phrase

_LONGEST = "max_ms"
ByClaim = Sequence[tuple[Claim, tuple[Finding, ...]]]


def cells(by_claim: ByClaim, seen: Observations) -> list[Cell]:
    """Returns the cells whose lower bounds a claim may rest on."""
    return sorted({cell for claim, found in by_claim for one in found for cell in _touched(claim, one, seen)})


def agreed(
    weighed: tuple[JudgedPart, ...], otherwise: tuple[JudgedPart, ...], seen: Observations
) -> tuple[JudgedPart, ...]:
    """Returns the parts of a claim, without outcome where they were judged in two ways with two outcomes."""
    return tuple(
        one if one.part.outcome == other.part.outcome else _open(one, seen)
        for one, other in zip(weighed, otherwise, strict=True)
    )


def without_two_sides(
    by_claim: ByClaim, weighed: tuple[JudgedPart, ...], seen: Observations
) -> tuple[JudgedPart, ...]:
    """Returns the parts, without outcome where one has bounds and says more than that something is above, or
    below.
    """
    findings = [(claim, one) for claim, found in by_claim for one in found]
    return tuple(
        _open(part, seen) if _touched(claim, one, seen) and not is_one_sided(claim) else part
        for (claim, one), part in zip(findings, weighed, strict=True)
    )


def _touched(claim: Claim, one: Finding, seen: Observations) -> frozenset[Cell]:
    if not seen.at_least:
        return frozenset()
    terms = {node.measure for node in nodes(claim) if isinstance(node, Term)}
    if is_within_the_window(claim):
        # Whatever never ended may be of the part that is spoken of; the longest time says that there is some.
        terms = {_LONGEST for measure in terms if measure.endswith("_ms")}
    return frozenset().union(*(seen.bounds(measure, *one.where) for measure in terms))


def is_within_the_window(claim: Claim) -> bool:
    return claim.window is not None or any(
        (isinstance(node, Term) and (_of_the_course(node) or node.window is not None))
        or (isinstance(node, Axis) and node.is_time)
        for node in nodes(claim)
    )


def _of_the_course(term: Term) -> bool:
    return term.summary is not None and not term.summary.over_runs


def is_one_sided(claim: Claim) -> bool:
    if any(isinstance(node, Term) and node.summary is not None for node in nodes(claim)):
        return False
    if any(isinstance(node, Quotient) and node.of_measures for node in nodes(claim)):
        return False  # both of its measures may be bounds
    return all(
        (isinstance(part, EveryRunClaim) and part.relation != "=")
        or (isinstance(part, ObjectiveClaim) and _limits_times_on_one_side(part))
        or (
            isinstance(part, ComparisonClaim)
            and all(
                link.relation in (">", "<", ">=", "<=")
                and (link.by is None or link.by.high is None)
                and not any(
                    isinstance(side, Extreme) and side.word == "spread" for side in (link.left, link.right)
                )
                for link in part.links
            )
        )
        for part in claim.parts
    )


def _limits_times_on_one_side(part: ObjectiveClaim) -> bool:
    limits = {one.relation[0] for one in part.objectives if one.term.measure.endswith("_ms")}
    return len(limits) <= 1 and (part.of is None or not part.of.measure.endswith("_ms"))


def _open(one: JudgedPart, seen: Observations) -> JudgedPart:
    if one.part.outcome == "undecided":
        return one
    why = phrase("bounds-stalled" if seen.stands_still(*one.part.where) else "bounds-unended")
    said = one.with_clause(why)
    part = replace(one.part, outcome="undecided", explanation=said, more_blocks=None, nearest=None)
    return JudgedPart(part, said)
