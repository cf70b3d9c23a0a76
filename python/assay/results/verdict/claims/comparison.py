"""Judges one relation of a comparison: chooses the values to compare, and the file that judges its sides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

from assay.design.study.claims import Extreme, Figure, Link, Quotient
from assay.results.verdict.claims import extremes, means, relation
from assay.results.verdict.claims.finding import Finding, JudgingContext
from assay.results.verdict.observations import CRASHES, FACT


def findings(link: Link, judging: JudgingContext) -> Iterator[Finding]:
    """Yields a finding for every place where both sides can be compared."""
    if not _of_levels(link, judging):
        yield from _findings(link, judging)
        return
    for found in _findings(link, judging.of_levels):
        yield replace(found, approaching=judging.seen.count_approaching(*found.where))


def _findings(link: Link, judging: JudgingContext) -> Iterator[Finding]:
    left, asked, right = link.left, link.relation, link.right
    if link.over is not None:
        return means.findings(cast(relation.Value, left), asked, right, link.by, link.over, judging)
    if isinstance(left, Extreme) or isinstance(right, Extreme):
        return extremes.findings(left, asked, right, link.by, judging)
    return relation.findings(cast(relation.Value, left), asked, right, link.by, judging)


def _of_levels(link: Link, judging: JudgingContext) -> bool:
    """Returns whether the relation compares levels over the whole window, not facts and not the course within
    it.
    """
    left, right = link.left, link.right
    terms = (*relation.terms_of(left), *relation.terms_of(right))
    if judging.window or any(one.measure.startswith((FACT, CRASHES)) for one in terms):
        return False
    if any(one.window or (one.summary and not one.summary.over_runs) for one in terms):
        return False
    if isinstance(left, Extreme) and any(axis.is_time for axis in left.axes):
        return False
    ratio = (isinstance(left, Quotient) and not left.of_measures) or (
        isinstance(left, Extreme) and left.word == "spread"
    )
    return link.relation in ("~", "!~") or (isinstance(right, Figure) and not ratio)
