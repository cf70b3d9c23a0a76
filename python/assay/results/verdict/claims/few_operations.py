"""Keeps claims from resting on percentiles of too few operations: these are estimates without outcome."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.design.study import Term
from assay.design.study.claims import Axis, Claim, nodes
from assay.results.verdict.claims.bindings import TIME_SLICES
from assay.results.verdict.claims.bounds import ByClaim
from assay.results.verdict.claims.finding import Finding
from assay.results.verdict.claims.weigh import JudgedPart, without_outcome
from assay.results.verdict.compared import FEW
from assay.results.verdict.courses import Slice
from assay.results.verdict.observations import Observations
from assay.results.verdict.phrases import phrase


def only_estimates(
    by_claim: ByClaim, weighed: Sequence[JudgedPart], seen: Observations
) -> tuple[JudgedPart, ...]:
    """Returns the parts, without outcome where one is about a percentile of too few operations."""
    if seen.barred:
        return tuple(weighed)
    findings = [(claim, one) for claim, found in by_claim for one in found]
    return tuple(
        without_outcome(part, phrase("few-operations", measures=tuple(measures)), (FEW,))
        if (measures := _too_few(claim, one, seen))
        else part
        for (claim, one), part in zip(findings, weighed, strict=True)
    )


def _too_few(claim: Claim, one: Finding, seen: Observations) -> list[str]:
    found = [
        node.measure for node in nodes(claim) if isinstance(node, Term) and _is_few(claim, node, one, seen)
    ]
    return list(dict.fromkeys(found))


def _is_few(claim: Claim, term: Term, one: Finding, seen: Observations) -> bool:
    windows = list(_parts(claim, term))
    if windows == [None] and (term.summary is None or term.summary.every_s is None):
        return bool(seen.too_few(term.measure, *one.where))
    return any(seen.too_few_within(term, place, windows) for place in one.where)


def _parts(claim: Claim, term: Term) -> Iterator[Slice | None]:
    """Yields the parts of the window that a term of a claim is about; None is the whole window."""
    window = claim.window or term.window
    if any(isinstance(node, Axis) and node.is_time for node in nodes(claim)):
        yield from (Slice(number, TIME_SLICES, window) for number in range(TIME_SLICES))
    else:
        yield None if window is None else Slice(0, 1, window)
