"""Judges claims about the largest, the smallest and the spread of a measure along axes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from assay.design.study import Term
from assay.design.study.claims import Band, Extreme, Side
from assay.design.study.claims import Figure as Number
from assay.design.study.claims import Relation as Asked
from assay.results.verdict import shapes, wording
from assay.results.verdict.answers import Figure
from assay.results.verdict.claims.bindings import Cell, bindings
from assay.results.verdict.claims.finding import Finding, JudgingContext
from assay.results.verdict.claims.pairs import named
from assay.results.verdict.claims.relation import (
    Value,
    apart_by,
    between,
    held_against,
    places_of,
    plain,
    row,
    said,
    said_along,
    terms_of,
    value_of,
)
from assay.results.verdict.decision import All, Not, Some, Statement
from assay.results.verdict.observations import Blocks
from assay.results.verdict.phrases import Phrase, phrase
from assay.results.verdict.question import Question


def findings(
    left: Side, relation: Asked, right: Side, band: Band | None, judging: JudgingContext
) -> Iterator[Finding]:
    """Yields findings about a relation in which a side is an extreme."""
    if isinstance(right, Number):
        return _against_figure(cast(Extreme, left), relation, right.value, judging)
    question = between(relation, band, judging.margin)
    if any(isinstance(side, Extreme) and side.word == "spread" for side in (left, right)):
        return _spreads(left, relation, right, question, judging)
    return _against_side(left, relation, right, question, judging)


def _against_figure(
    side: Extreme, relation: Asked, figure: float, judging: JudgingContext
) -> Iterator[Finding]:
    """Yields findings that compare an extreme of the means of all cells with a figure."""
    for cells in bindings((side.term,), side.axes, judging):
        where = places_of(cells)
        along = row(side.term, cells, judging)
        of = _named(side, cells)
        if not len(along.values) or (side.word == "spread" and not along.relative):
            yield Finding(where, (phrase("not-in-every-cell", what=of),))
            continue
        if side.word == "spread":
            statement = shapes.spread(along, plain(relation), figure / 100, judging.margin)
            ratio = along.apart(along.leading("max"), along.leading("min"))
            low, high = (None if end is None else 100 * (end - 1) for end in (ratio.low, ratio.high))
            found = Figure("level", 100 * (ratio.value - 1), low, high, "%")
        else:
            statement = shapes.extreme(along, side.word, plain(relation), figure, judging.margin)
            found = along.of(along.leading(side.word))
        value = wording.amount(found, judging.confidence, len(along.values), (figure,))
        yield Finding(
            where,
            (phrase("level", of=of, value=value),),
            len(along.values),
            found,
            Not(statement) if relation == "!~" else statement,
        )


def _against_side(
    left: Side, relation: Asked, right: Side, question: Question, judging: JudgingContext
) -> Iterator[Finding]:
    """Yields findings that compare cells with cells: the largest of a row is greater when one of its cells
    is.

    Comparing the largest value of each block would be wrong: noise alone makes the largest of many greater
    than one.
    """
    axes = left.axes if isinstance(left, Extreme) else right.axes if isinstance(right, Extreme) else ()
    for cells in bindings((*terms_of(left), *terms_of(right)), axes, judging):
        where = places_of(cells)
        one, other = (_cells(side, cells) for side in (left, right))
        unlike = judging.unlike(where)
        values = [value_of(value, cell, judging) for value, cell in (*one, *other)]
        along = shapes.row_of(
            [_sign(value, cell) for value, cell in (*one, *other)],
            [{block: found for block, found in of.items() if block not in unlike} for of in values],
            judging.confidence,
        )
        names = [
            _named(side, cells) if isinstance(side, Extreme) else said(side, cells[0])
            for side in (left, right)
        ]
        if not len(along.values):
            lacking = phrase("sides-not-in-a-common-block", one=names[0], other=names[1])
            yield Finding(where, (lacking,))
            continue
        here, there = range(len(one)), range(len(one), len(one) + len(other))
        statement = _quantified(along, left, here, question, right, there)
        found = along.apart(_leader(along, left, here), _leader(along, right, there))
        beside = wording.edges_of(question) if found.kind == "ratio" else ()
        yield Finding(
            where,
            (apart_by(names[0], names[1], found, judging.confidence, len(along.values), beside),),
            len(along.values),
            found,
            Not(statement) if relation == "!~" else statement,
            compares=question,
            approaching=len(unlike),
        )


def _named(side: Extreme, cells: Sequence[Cell]) -> Phrase:
    return phrase(f"extreme-{side.word}", of=said_along(side.term, cells))


def _sign(side: Value, cell: Cell) -> str:
    """Returns a side in signs alone, the same in all languages: `tps a=4 @ 8`."""
    return f"{named(side)} {cell.places[side].sign}" if isinstance(side, Term) else str(side)


def _cells(side: Side, cells: Sequence[Cell]) -> list[tuple[Value, Cell]]:
    """Returns a side's values with their cells: an extreme has every cell, any other side the first."""
    if isinstance(side, Extreme):
        return [(side.term, cell) for cell in cells]
    return [(cast(Value, side), cells[0])]


def _quantified(
    along: shapes.Row,
    left: Side,
    here: Sequence[int],
    question: Question,
    right: Side,
    there: Sequence[int],
) -> All:
    """Returns the statement of a relation between extremes, such as "max a > max b" (for each of b one of a
    is greater) and "min a > max b" (each of a exceeds each of b).
    """
    statements: list[Statement] = []
    for relation in (">=", "<=") if question.relation == "~" else (question.relation,):
        ask = Question(relation, question.region, question.of_treatments)
        greater = relation.startswith(">")
        one_here = isinstance(left, Extreme) and left.word == ("max" if greater else "min")
        one_there = isinstance(right, Extreme) and right.word == ("min" if greater else "max")
        groups = (
            [[(one, other) for one in here for other in there]]
            if one_here and one_there
            else [[(one, other) for one in here] for other in there]
            if one_here
            else [[(one, other) for other in there] for one in here]
            if one_there
            else [[(one, other)] for one in here for other in there]
        )
        statements += [Some(tuple(along.pair(*pair, ask) for pair in group)) for group in groups]
    return All(tuple(statements))


def _leader(along: shapes.Row, side: Side, cells: Sequence[int]) -> int:
    """Returns the cell that a side's word (max, min) selects, by the means."""
    means = along.scale.mean(axis=0)
    pick = min if isinstance(side, Extreme) and side.word == "min" else max
    return pick(cells, key=lambda cell: float(means[cell]))


def _spreads(
    left: Side, relation: Asked, right: Side, question: Question, judging: JudgingContext
) -> Iterator[Finding]:
    """Yields findings that compare two spreads, each computed within a block, so that the noise of single
    runs is in both.
    """
    sides = (cast(Extreme, left), cast(Extreme, right))
    for cells in bindings([side.term for side in sides], sides[0].axes, judging):
        one, other = (_spread(side, cells, judging) for side in sides)
        name, others = (_named(side, cells) for side in sides)
        yield held_against(places_of(cells), (name, others), one, other, relation, question, judging, "%")


def _spread(side: Extreme, cells: Sequence[Cell], judging: JudgingContext) -> Blocks:
    found = [value_of(side.term, cell, judging) for cell in cells]
    common = set.intersection(*(set(one) for one in found))
    values = {block: [one[block] for one in found] for block in sorted(common)}
    return {block: 100 * (max(of) / min(of) - 1) for block, of in values.items() if min(of) > 0}
