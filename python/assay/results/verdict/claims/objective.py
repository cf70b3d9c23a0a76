"""Judges claims about the best point of an axis that meets objectives: one such point is enough."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assay.design.study import Term
from assay.design.study.claims import Objective, ObjectiveClaim, Order
from assay.results.verdict.answers import Figure, Nearest
from assay.results.verdict.claims.bindings import Cell, bindings
from assay.results.verdict.claims.finding import Finding, JudgingContext
from assay.results.verdict.claims.relation import edges_of, places_of, said_along, value_of
from assay.results.verdict.claims.rows import where
from assay.results.verdict.compared import Place
from assay.results.verdict.decision import All, CertainOutcome, Edges, Not, Some, Statement
from assay.results.verdict.phrases import Amount, Phrase, given, phrase
from assay.results.verdict.question import with_figure

CARRIED_OUT = 0.99
"""Share of an offered rate that must have been carried out for a point to count."""
_NOT_BELOW: Mapping[Order, Order] = {"<": ">=", "<=": ">"}


@dataclass(frozen=True)
class _Point:
    """A point of the axis: what it asserts, what it has (the load, or the term's mean), and its blocks."""

    name: str
    asserts: Statement
    has: float
    blocks: int

    @property
    def meets(self) -> bool:
        """Whether the means alone meet everything."""
        leaves = list(self.asserts.leaves())
        return bool(leaves) and all(leaf.clearance >= 0 for leaf in leaves)


def findings(claim: ObjectiveClaim, judging: JudgingContext) -> Iterator[Finding]:
    """Yields, for each row of cells along the axis, whether one of them meets the objectives and is as large
    as the claim says.
    """
    seen, judging = judging.seen, judging.of_levels
    carried = [_rate(claim, judging)] if claim.axis.name == "rate" else []
    terms = [one.term for one in claim.objectives] + carried + ([claim.of] if claim.of else [])
    for cells in bindings(terms, (claim.axis,), judging):
        points = [_point(claim, carried, cell, judging) for cell in cells]
        reached = [point for point in points if point.meets and point.blocks]
        best = max((point.has for point in reached), default=None)
        unit = judging.unit(claim.of) if claim.of else ""
        yield Finding(
            where(cells),
            (_said(claim, cells, best, judging),),
            min((point.blocks for point in points if point.blocks), default=0),
            None if best is None else Figure("level" if claim.of else "load", best, unit=unit),
            _statement(claim, points, cells, judging),
            approaching=seen.count_approaching(*places_of(cells)),
        )


def _statement(
    claim: ObjectiveClaim, points: Sequence[_Point], cells: Sequence[Cell], judging: JudgingContext
) -> Statement:
    """Returns that one point is as large as the claim says; for `<` and `<=`, that none is larger."""
    relation = None if claim.relation is None else _NOT_BELOW.get(claim.relation, claim.relation)
    wanted: list[Statement] = []
    for point, cell in zip(points, cells, strict=True):
        if relation is None:
            wanted.append(point.asserts)
        elif claim.of is not None:
            wanted.append(All((point.asserts, _level(claim.of, relation, claim.value, cell, judging))))
        elif (point.has > claim.value) if relation == ">" else (point.has >= claim.value):
            wanted.append(point.asserts)
    if not wanted:
        return CertainOutcome("supported" if relation != claim.relation else "refuted")
    return Some(tuple(wanted)) if relation == claim.relation else Not(Some(tuple(wanted)))


def _point(claim: ObjectiveClaim, carried: Sequence[Term], cell: Cell, judging: JudgingContext) -> _Point:
    load = next(iter(cell.places.values())).load or 0.0
    limits = [(one.term, one.relation, one.value) for one in claim.objectives]
    asserts = [_level(*limit, cell, judging) for limit in limits]
    asserts += [_level(term, ">=", CARRIED_OUT * load, cell, judging) for term in carried]
    of = {} if claim.of is None else value_of(claim.of, cell, judging)
    has = load if claim.of is None else float(np.mean(list(of.values()))) if of else 0.0
    blocks = min(len(value_of(one.term, cell, judging)) for one in claim.objectives)
    return _Point(cell.name, All(tuple(asserts)), has, blocks)


def _level(term: Term, relation: Order, value: float, cell: Cell, judging: JudgingContext) -> Statement:
    """Returns the statement about one term at one cell; where it was not measured, nothing is known."""
    blocks = value_of(term, cell, judging)
    if not blocks:
        return CertainOutcome("undecided")
    values = np.array([blocks[block] for block in sorted(blocks)])
    contrasts = edges_of(values, with_figure(relation, value, judging.margin)).contrasts
    mean = Figure("level", float(values.mean()), unit=judging.unit(term))
    return Edges(contrasts, Nearest(f"{term.measure} @ {cell.name}", mean))


def _rate(claim: ObjectiveClaim, judging: JudgingContext) -> Term:
    """Returns what tells how much of a rate was carried out: transactions, or operations on files."""
    files = any(measure == "iops" for measure, _, _ in judging.seen.values)
    return Term("iops" if files else "tps", claim.objectives[0].term.selector)


def _said(
    claim: ObjectiveClaim, cells: Sequence[Cell], best: float | None, judging: JudgingContext
) -> Phrase:
    objectives = phrase("objectives", clauses=tuple(_limit(one, cells, judging) for one in claim.objectives))
    of = phrase("axis", axis=str(claim.axis)) if claim.of is None else said_along(claim.of, cells)
    if best is None:
        return phrase("objective-nowhere", of=of, objectives=objectives)
    if claim.of is None:
        return phrase("objective-load", of=of, objectives=objectives, best=Place("", best, judging.load_kind))
    best_of = Amount(best, judging.unit(claim.of))
    return phrase("objective-of", of=of, objectives=objectives, best=best_of)


def _limit(one: Objective, cells: Sequence[Cell], judging: JudgingContext) -> Phrase:
    limit = given(one.value, judging.unit(one.term))
    return phrase("objective", of=said_along(one.term, cells), relation=one.relation, limit=limit)
