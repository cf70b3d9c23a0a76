"""Records of the limits that claims and gates set to measures: the figure in a claim, and its places.

They are read from the study alone, so that a chart shows them before anything is judged.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from assay.design.study import Claim, ComparisonClaim, EveryRunClaim, Hypothesis, Term
from assay.design.study.claims import Band, Extreme, Figure, Link, Quotient, within
from assay.reporting.report.material import Material
from assay.results.stats import around
from assay.results.verdict import Treatment, treatments_of


@dataclass(frozen=True)
class Limit:
    """A value that a claim holds a measure to: at a load point, of one treatment.

    `against` None: `value` has the measure's unit. Otherwise it is a ratio to the treatment `against`.
    """

    source: Literal["claim", "gate"]
    claim: str
    measure: str
    relation: str
    value: float
    treatment: str
    load: float
    against: str | None = None

    @property
    def turned(self) -> Limit:
        """A ratio the other way round: the same limit as one of the other treatment."""
        if self.against is None or self.value <= 0:
            return self
        relation = self.relation.translate(str.maketrans("<>", "><"))
        return replace(
            self, relation=relation, value=1 / self.value, treatment=self.against, against=self.treatment
        )


@dataclass(frozen=True)
class _Edge:
    """A figure to which one side is held, or, with `below`, the ratio of both sides."""

    relation: str
    value: float
    above: Term
    below: Term | None = None


def limits(material: Material) -> tuple[Limit, ...]:
    """Returns every limit of the study's hypotheses and gates, by the treatments' names of this material.

    Claims about a part of the window, and about the course within it, have none: their figure is of
    something else than the measure that charts show.
    """
    return material.once(_limits)


def level_limits(
    material: Material, measures: Sequence[str], *, treatment: str | None = None, load: float | None = None
) -> list[Limit]:
    """Returns the limits of these measures in their own unit; None stands for every treatment or load."""
    return [
        one
        for one in limits(material)
        if one.against is None
        and one.measure in measures
        and treatment in (None, one.treatment)
        and load in (None, one.load)
    ]


def ratio_limits(material: Material, other: str, baseline: str) -> list[Limit]:
    """Returns the limits of the ratio of two treatments, whichever of them the claim names first."""
    found = (one if one.treatment == other else one.turned for one in limits(material) if one.against)
    return [one for one in found if (one.treatment, one.against) == (other, baseline)]


def _limits(material: Material) -> tuple[Limit, ...]:
    study = material.study
    here = {material.own.get(name, name): name for name in material.results.treatments}
    treatments = [one for one in treatments_of(study, material.store.cursor()) if one.name in here]
    rules: list[tuple[Literal["claim", "gate"], Hypothesis]] = [
        *(("claim", one) for one in study.hypotheses),
        *(("gate", one.hypothesis) for one in study.gates),
    ]
    found: list[Limit] = []
    for source, rule in rules:
        for claim in rule.claims:
            for edge in _edges(claim, rule.margin, material):
                for one, other, load in _places(edge, claim, treatments, material.results.loads):
                    against = None if other is None else here[other]
                    found.append(
                        Limit(source, rule.text, edge.above.measure, edge.relation, edge.value, here[one],
                              load, against)
                    )  # fmt: skip
    return tuple(dict.fromkeys(found))


def _edges(claim: Claim, margin: float | None, material: Material) -> Iterator[_Edge]:
    if claim.window is not None or claim.joined == "or":
        return
    for part in claim.parts:
        found: Iterator[_Edge] = iter(())
        match part:
            case EveryRunClaim():
                found = iter([_Edge(part.relation, part.value, part.term)])
            case ComparisonClaim():
                found = (
                    edge
                    for link in part.links
                    if link.over is None
                    for edge in _of_link(link, margin, material)
                )
        yield from (
            edge
            for edge in found
            if edge.above == replace(edge.above, summary=None, window=None) and math.isfinite(edge.value)
        )


def _of_link(link: Link, margin: float | None, material: Material) -> Iterator[_Edge]:
    match link.left, link.right:
        case Term() as term, Figure(value):
            yield _Edge(link.relation, value, term)
        case Quotient(above, below), Figure(value):
            if above.measure == below.measure and below.summary is None:
                yield _Edge(link.relation, value, above, below)
        case Extreme(word, term, _), Figure(value) if word != "spread":
            yield _Edge(link.relation, value, term)
        case Term() as above, Term() as below if above.measure == below.measure and below.summary is None:
            for relation, value in _of_terms(link.relation, link.by, margin, material):
                yield _Edge(relation, value, above, below)


def _of_terms(
    relation: str, by: Band | None, margin: float | None, material: Material
) -> Iterator[tuple[str, float]]:
    """Yields the limits of left / right. Those at the study's margin are the band that charts show anyway."""
    if by is not None:
        near, far = by.ratios(">" if relation == ">" else "<")
        for edge, sign in (
            (near, ">=" if relation == ">" else "<="),
            (far, "<=" if relation == ">" else ">="),
        ):
            if edge is not None:
                yield sign, edge
    elif margin is not None and margin != material.study.verdict.margin:
        region = around(1.0, margin)
        match relation:
            case ">" | "<=":
                yield relation, region.high
            case "<" | ">=":
                yield relation, region.low
            case "~":
                yield from ((">=", region.low), ("<=", region.high))


def _places(
    edge: _Edge, claim: Claim, treatments: Sequence[Treatment], loads: Sequence[float]
) -> Iterator[tuple[str, str | None, float]]:
    """Yields the treatments and load points that an edge is about: sides of a ratio have equal levels of all
    factors that neither of them names.
    """
    own = edge.above.selector.load
    wanted = tuple(loads)
    if own is not None:
        wanted = tuple(load for load in loads if load == own)
    elif claim.at is not None and claim.at.axis.is_load:
        wanted = within(claim.at.where, wanted)
    pairs: Iterator[tuple[str, str | None]]
    if edge.below is None:
        pairs = ((one.name, None) for one in treatments if one.matches(edge.above.selector))
    else:
        sides = (edge.above.selector, edge.below.selector)
        named = {factor for side in sides for factor, _ in side.levels}
        pairs = (
            (one.name, other.name)
            for one in treatments
            for other in treatments
            if one is not other
            and one.matches(sides[0])
            and other.matches(sides[1])
            and all(
                level == other.levels.get(name) for name, level in one.levels.items() if name not in named
            )
        )
        if sides[0].load != sides[1].load:
            return  # a ratio of two load points has no place in a chart of treatments
    yield from ((one, other, load) for one, other in pairs for load in wanted)
