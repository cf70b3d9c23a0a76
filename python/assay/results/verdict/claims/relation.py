"""Judges a relation between two sides: terms, quotients and differences of them, figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal, cast

import numpy as np

from assay.design.study import Term
from assay.design.study.claims import Band, Difference, Extreme, Quotient, Side
from assay.design.study.claims import Figure as Number
from assay.design.study.claims import Relation as Asked
from assay.results.stats import Region, around, mean_interval, paired_ratio
from assay.results.verdict import shapes, wording
from assay.results.verdict.answers import Figure
from assay.results.verdict.claims.bindings import Cell, bindings
from assay.results.verdict.claims.finding import Finding, JudgingContext
from assay.results.verdict.claims.pairs import named, pair, stands_for_itself
from assay.results.verdict.compared import Place
from assay.results.verdict.decision import Edges, Not, Statement
from assay.results.verdict.estimates import over_blocks
from assay.results.verdict.observations import Blocks, Floats
from assay.results.verdict.phrases import Phrase, phrase
from assay.results.verdict.question import Question, Relation, with_figure

Value = Term | Quotient | Difference


def findings(
    left: Value, relation: Asked, right: Side, band: Band | None, judging: JudgingContext
) -> Iterator[Finding]:
    """Yields a finding for every place where both sides can be compared."""
    if isinstance(right, Number):
        if isinstance(left, Quotient):
            return _quotient(left, relation, right.value, judging)
        return _level(left, relation, right.value, judging)
    question = between(relation, band, judging.margin)
    if isinstance(left, Term) and isinstance(right, Term):
        return _terms(left, right, relation, question, judging)
    return _sides(left, right, relation, question, judging)


def terms_of(side: Side) -> tuple[Term, ...]:
    """Returns every term of a side, from left to right."""
    match side:
        case Term():
            return (side,)
        case Quotient():
            return (side.numerator, side.denominator)
        case Difference():
            return (*terms_of(side.left), *terms_of(side.right))
        case Extreme():
            return (side.term,)
        case Number():
            return ()


def value_of(side: Value, cell: Cell, judging: JudgingContext) -> Blocks:
    """Returns a side's value in every block that has all of its terms; a block with a zero denominator is
    left out.
    """
    if isinstance(side, Term):
        return cell.blocks(side, judging)
    one, other = (side.numerator, side.denominator) if isinstance(side, Quotient) else (side.left, side.right)
    left, right = value_of(one, cell, judging), value_of(other, cell, judging)
    common = sorted(left.keys() & right.keys())
    if isinstance(side, Quotient):
        return {block: left[block] / right[block] for block in common if right[block]}
    return {block: left[block] - right[block] for block in common}


def row(side: Value, cells: Sequence[Cell], judging: JudgingContext) -> shapes.Row:
    """Returns a side's values along its axes; without blocks where one of its cells was not measured."""
    unlike = judging.unlike(places_of(cells))
    of_cells = [value_of(side, cell, judging) for cell in cells]
    return shapes.row_of(
        [cell.name for cell in cells],
        [{block: value for block, value in of.items() if block not in unlike} for of in of_cells],
        judging.confidence,
        unit_of(side, judging),
    )


def unit_of(side: Value, judging: JudgingContext) -> str:
    if isinstance(side, Quotient):
        return ""
    if isinstance(side, Difference):
        return unit_of(side.left, judging)
    return judging.unit(side)


def asked(relation: Asked, edges: Edges) -> Statement:
    """Returns the statement of a relation: `!~` is the opposite of ~."""
    return Not(edges) if relation == "!~" else edges


def plain(relation: Asked) -> Relation:
    return "~" if relation == "!~" else relation


def between(relation: Asked, band: Band | None, margin: float) -> Question:
    """Returns the question about left / right: greater or less beyond the margin, within it, or in a given
    band.
    """
    if band is None:
        return Question(plain(relation), around(1.0, margin), of_treatments=True)
    return in_band(band, ">" if relation == ">" else "<")


def in_band(band: Band, order: Literal[">", "<"]) -> Question:
    """Returns the question whether left / right lies in a band above 1, or below it."""
    near, far = band.ratios(order)
    if far is None:
        return Question(">=" if order == ">" else "<=", Region(near, near))
    return Question("~", Region(min(near, far), max(near, far)))


def _terms(
    left: Term, right: Term, relation: Asked, question: Question, judging: JudgingContext
) -> Iterator[Finding]:
    for (cell,) in bindings((left, right), (), judging):
        if not stands_for_itself(left, right, cell):
            yield pair(left, right, cell, relation == "!~", question, judging)


def _quotient(side: Quotient, relation: Asked, figure: float, judging: JudgingContext) -> Iterator[Finding]:
    question = with_figure(plain(relation), figure, judging.margin)
    return _terms(side.numerator, side.denominator, relation, question, judging)


def _level(
    side: Term | Difference, relation: Asked, figure: float, judging: JudgingContext
) -> Iterator[Finding]:
    """Yields findings that compare a side with a figure, by means of logarithms where these exist; a
    difference has a sign, and its plain mean is used.
    """
    question = with_figure(plain(relation), figure, judging.margin)
    for (cell,) in bindings(terms_of(side), (), judging):
        where, blocks = places(cell), value_of(side, cell, judging)
        if not blocks:
            yield Finding(where, (phrase("not-in-any-block", what=said(side, cell)),))
            continue
        logs = isinstance(side, Term)
        yield level(
            where, said(side, cell), blocks, unit_of(side, judging), relation, question, judging, logs
        )


def level(
    where: tuple[Place, ...],
    name: Phrase,
    blocks: Blocks,
    unit: str,
    relation: Asked,
    question: Question,
    judging: JudgingContext,
    logs: bool = True,
) -> Finding:
    """Returns the finding about one side with a value in every block, held against a figure; by logarithms
    where these exist and `logs` allows them.
    """
    values = np.array([blocks[block] for block in sorted(blocks)])
    logs = logs and bool((values > 0).all()) and question.positive
    found = over_blocks(blocks, judging.confidence) if logs else mean_interval(values, judging.confidence)
    edges = edges_of(values, question, logs)
    figure = Figure("level", found.value, found.low, found.high, unit)
    value = wording.amount(figure, judging.confidence, found.n, wording.edges_of(question))
    return Finding(
        where=where,
        said=(phrase("level", of=name, value=value),),
        blocks=found.n,
        figure=figure,
        question=question,
        asserts=asked(relation, edges),
    )


def edges_of(values: Floats, question: Question, logs: bool = True) -> Edges:
    """Returns the statement that compares a level with a figure, by logarithms where these exist and `logs`
    allows them.
    """
    if logs and (values > 0).all() and question.positive:
        return Edges(question.of_logs(np.log(values)))
    return Edges(question.of_levels(values))


def _sides(
    left: Side, right: Side, relation: Asked, question: Question, judging: JudgingContext
) -> Iterator[Finding]:
    """Yields findings about two sides of which one is more than a term, with a value of each in every
    block.
    """
    for (cell,) in bindings((*terms_of(left), *terms_of(right)), (), judging):
        one, other = (value_of(cast(Value, side), cell, judging) for side in (left, right))
        names = said(left, cell), said(right, cell)
        unit = unit_of(cast(Value, left), judging)
        yield held_against(places(cell), names, one, other, relation, question, judging, unit)


def held_against(
    where: tuple[Place, ...],
    names: tuple[Phrase, Phrase],
    one: Blocks,
    other: Blocks,
    relation: Asked,
    question: Question,
    judging: JudgingContext,
    unit: str,
) -> Finding:
    """Returns the finding about two sides with a value in every block: their ratio, or their difference in
    their `unit`.
    """
    unlike = judging.unlike(where)
    common = sorted((one.keys() & other.keys()) - unlike)
    if not common:
        lacking = phrase("sides-not-in-a-common-block", one=names[0], other=names[1])
        return Finding(where, (lacking,), approaching=len(unlike))
    here, there = (np.array([of[block] for block in common]) for of in (one, other))
    statement = asked(relation, Edges(question.of_pairs(here, there)))
    found = _two(where, *names, here, there, question, statement, judging, unit)
    return replace(found, approaching=len(unlike))


def _two(
    where: tuple[Place, ...],
    left: Phrase,
    right: Phrase,
    here: Floats,
    there: Floats,
    question: Question,
    statement: Statement,
    judging: JudgingContext,
    unit: str,
) -> Finding:
    if (here > 0).all() and (there > 0).all():
        found = paired_ratio(there, here, judging.confidence)
        figure = Figure("ratio", found.ratio, found.low, found.high)
        return Finding(
            where,
            (apart_by(left, right, figure, judging.confidence, found.n, wording.edges_of(question)),),
            found.n,
            figure,
            statement,
            question,
        )
    apart = mean_interval(here - there, judging.confidence)
    figure = Figure("level", apart.value, apart.low, apart.high, unit)
    said_apart = apart_by(left, right, figure, judging.confidence, apart.n)
    return Finding(where, (said_apart,), apart.n, figure, statement)


def apart_by(
    left: Phrase,
    right: Phrase,
    figure: Figure,
    confidence: float,
    blocks: int,
    beside: tuple[float, ...] = (),
) -> Phrase:
    """Returns how far two sides are apart: as a ratio, "1.2 times", or as a difference, "5 ms more than"."""
    apart = wording.amount(figure, confidence, blocks, beside)
    return phrase(f"sides-{figure.kind}", left=left, right=right, apart=apart)


def places(cell: Cell) -> tuple[Place, ...]:
    return tuple(dict.fromkeys(cell.places.values()))


def places_of(cells: Sequence[Cell]) -> tuple[Place, ...]:
    return tuple(dict.fromkeys(place for cell in cells for place in places(cell)))


def said(side: Side, cell: Cell) -> Phrase:
    """Returns a side in words: "tps of a=4 at 8 threads", "p99_ms / p50_ms of a=4 at 8 threads"; one of
    several treatments as the claim writes it.
    """
    if isinstance(side, Term):
        return wording.side(named(side), cell.places[side])
    if isinstance(side, Quotient) and side.of_measures:
        return wording.side(" / ".join(side.measures), cell.places[side.numerator])
    if all(term.selector.load is None for term in terms_of(side)):
        return phrase("along-load", measure=str(side), at=next(iter(cell.places.values())))
    return phrase("along", measure=str(side))


def said_along(side: Side, cells: Sequence[Cell]) -> Phrase:
    """Returns a side that varies along an axis, named by what all of its cells share: "tps of a=4", "tps at 8
    threads".
    """
    found = [cell.places[term] for cell in cells for term in terms_of(side)]
    one_load = len({place.load for place in found}) == 1
    if not isinstance(side, Term):
        return phrase("along-load" if one_load else "along", measure=str(side), at=found[0])
    shared, *others = (place.treatment.split(", ") for place in found)
    rest = ", ".join(piece for piece in shared if all(piece in other for other in others))
    key = f"along{'-rest' if rest else ''}{'-load' if one_load else ''}"
    return phrase(key, measure=named(side), rest=rest, at=found[0])
