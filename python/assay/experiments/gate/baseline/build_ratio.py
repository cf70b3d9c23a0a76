"""Reads what a claim asks of two builds: which measure, and by how much the new one may differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from assay.design.study import Claim, ComparisonClaim, Scalar, Term, level_text
from assay.design.study.claims import Among, Figure, Quotient, within
from assay.design.study.derive import BASE, BUILD, NEW

FORM = f"MEASURE[{BUILD}={NEW}]/MEASURE[{BUILD}={BASE}] >= FIGURE"
"""The form of claims that a baseline can answer; the relation may be any order."""


@dataclass(frozen=True)
class BuildRatioClaim:
    """A measure of the new build over that of the base, against a figure, at these load points.

    `levels`: the other factors that the claim fixes, by full names.
    """

    measure: str
    relation: Literal[">", "<", ">=", "<="]
    figure: float
    levels: Mapping[str, frozenset[str]]
    loads: tuple[float, ...]


def asked_of(claim: Claim, loads: tuple[float, ...]) -> BuildRatioClaim | None:
    """Returns what a claim asks; None for a claim of another form than `FORM`."""
    if len(claim.parts) != 1 or claim.window is not None:
        return None
    (part,) = claim.parts
    if not isinstance(part, ComparisonClaim) or len(part.links) != 1:
        return None
    (link,) = part.links
    if link.relation not in (">", "<", ">=", "<=") or link.by is not None or link.over is not None:
        return None
    if not isinstance(link.left, Quotient) or not isinstance(link.right, Figure):
        return None
    above, below = link.left.numerator, link.left.denominator
    levels, its = _levels(above), _levels(below)
    if above.measure != below.measure or any(of.summary or of.window for of in (above, below)):
        return None
    if (
        levels.pop(BUILD, None) != frozenset((NEW,))
        or its.pop(BUILD, None) != frozenset((BASE,))
        or levels != its
    ):
        return None
    if above.selector.load != below.selector.load:
        return None
    if above.selector.load is not None:
        loads = tuple(load for load in loads if load == above.selector.load)
    if claim.at is not None:
        if not claim.at.axis.is_load or claim.at.some:
            return None
        loads = tuple(within(claim.at.where, loads))
    return BuildRatioClaim(above.measure, link.relation, link.right.value, levels, loads)


def _levels(term: Term) -> dict[str, frozenset[str]]:
    return {name: _texts(level) for name, level in term.selector.levels}


def _texts(level: Scalar | Among) -> frozenset[str]:
    return frozenset(map(level_text, level.levels if isinstance(level, Among) else (level,)))
