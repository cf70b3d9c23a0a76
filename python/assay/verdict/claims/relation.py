"""Two sides of a relation: terms, quotients and differences of them, extremes along an axis, figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import cast

import numpy as np

from assay.stats import Region, around, mean_interval, paired_ratio
from assay.study import Term
from assay.study.claims import MIRRORED, Band, Difference, Extreme, Quotient, Side
from assay.study.claims import Figure as Number
from assay.study.claims import Relation as Asked
from assay.verdict import shapes, wording
from assay.verdict.claims.bindings import Cell, bindings
from assay.verdict.claims.finding import Finding, Judging
from assay.verdict.claims.pairs import pair, stands_for_itself
from assay.verdict.decision import Edges, Not, Statement
from assay.verdict.estimates import over_blocks
from assay.verdict.observations import CRASHES, FACT, Blocks, Floats
from assay.verdict.question import Question, Relation, with_figure
from assay.verdict.results import Figure, Place

Value = Term | Quotient | Difference


def findings(
    left: Side, relation: Asked, right: Side, band: Band | None, judging: Judging
) -> Iterator[Finding]:
    """What is found wherever both sides can be held against each other."""
    if not _of_levels(left, relation, right, judging):
        yield from _findings(left, relation, right, band, judging)
        return
    for found in _findings(left, relation, right, band, judging.of_levels):
        yield replace(found, approaching=judging.seen.count_approaching(*found.where))


def _of_levels(left: Side, relation: Asked, right: Side, judging: Judging) -> bool:
    """Whether levels of the whole window are judged, or sameness: not facts, and not its course."""
    terms = (*terms_of(left), *terms_of(right))
    if judging.window or any(one.summary or one.measure.startswith((FACT, CRASHES)) for one in terms):
        return False
    if isinstance(left, Extreme) and any(axis.is_time for axis in left.axes):
        return False
    ratio = isinstance(left, Quotient) or (isinstance(left, Extreme) and left.word == "spread")
    return relation in ("~", "!~") or (isinstance(right, Number) and not ratio)


def _findings(
    left: Side, relation: Asked, right: Side, band: Band | None, judging: Judging
) -> Iterator[Finding]:
    if band is not None and relation.startswith("<"):
        left, right, relation = right, left, MIRRORED[relation]
    if isinstance(right, Number):
        if isinstance(left, Extreme):
            return _extreme(left, relation, right.value, judging)
        if isinstance(left, Quotient):
            return _quotient(left, relation, right.value, judging)
        assert not isinstance(left, Number)
        return _level(left, relation, right.value, judging)
    question = _between(relation, band, judging.margin)
    if isinstance(left, Term) and isinstance(right, Term):
        return _terms(left, right, relation, question, judging)
    return _sides(left, right, relation, question, judging)


def terms_of(side: Side) -> tuple[Term, ...]:
    """Every term of a side, from left to right."""
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


def value_of(side: Value, cell: Cell, judging: Judging) -> Blocks:
    """A side's value in every block that has all of its terms; no quotient where its denominator is zero."""
    if isinstance(side, Term):
        return cell.blocks(side, judging)
    one, other = (side.numerator, side.denominator) if isinstance(side, Quotient) else (side.left, side.right)
    left, right = value_of(one, cell, judging), value_of(other, cell, judging)
    common = sorted(left.keys() & right.keys())
    if isinstance(side, Quotient):
        return {block: left[block] / right[block] for block in common if right[block]}
    return {block: left[block] - right[block] for block in common}


def row(side: Value, cells: Sequence[Cell], judging: Judging) -> shapes.Row:
    """A side along its axes; no blocks where one of its cells was not measured."""
    unlike = judging.unlike(places_of(cells))
    of_cells = [value_of(side, cell, judging) for cell in cells]
    return shapes.row_of(
        [cell.name for cell in cells],
        [{block: value for block, value in of.items() if block not in unlike} for of in of_cells],
        judging.confidence,
        unit_of(side, judging),
    )


def unit_of(side: Value, judging: Judging) -> str:
    if isinstance(side, Quotient):
        return ""
    if isinstance(side, Difference):
        return unit_of(side.left, judging)
    return judging.seen.unit(side.measure)


def asked(relation: Asked, edges: Edges) -> Statement:
    """The statement of a relation: `!~` is the opposite of ~."""
    return Not(edges) if relation == "!~" else edges


def plain(relation: Asked) -> Relation:
    return "~" if relation == "!~" else relation


def _between(relation: Asked, band: Band | None, margin: float) -> Question:
    """The question about left / right: greater or less beyond the margin, within it, or by a stated band."""
    if band is None:
        return Question(plain(relation), around(1.0, margin), of_treatments=True)
    low, high = band.ratios
    return Question(">=", Region(low, low)) if high is None else Question("~", Region(low, high))


def _terms(
    left: Term, right: Term, relation: Asked, question: Question, judging: Judging
) -> Iterator[Finding]:
    for (cell,) in bindings((left, right), (), judging):
        if not stands_for_itself(left, right, cell):
            yield pair(left, right, cell, relation == "!~", question, judging)


def _quotient(side: Quotient, relation: Asked, figure: float, judging: Judging) -> Iterator[Finding]:
    question = with_figure(plain(relation), figure, judging.margin)
    return _terms(side.numerator, side.denominator, relation, question, judging)


def _level(side: Term | Difference, relation: Asked, figure: float, judging: Judging) -> Iterator[Finding]:
    """Means of logarithms where these exist; of a difference, the mean as it is: it has a sign."""
    question = with_figure(plain(relation), figure, judging.margin)
    for (cell,) in bindings(terms_of(side), (), judging):
        where, blocks = places(cell), value_of(side, cell, judging)
        if not blocks:
            yield Finding(where, f"{said(side, cell)} was not measured in any block.")
            continue
        values = np.array([blocks[block] for block in sorted(blocks)])
        logs = isinstance(side, Term) and bool((values > 0).all()) and question.positive
        found = over_blocks(blocks, judging.confidence) if logs else mean_interval(values, judging.confidence)
        unit = unit_of(side, judging)
        level = f"{wording.figure(found.value)}{wording.unit(unit)}"
        edges = Edges(question.of_logs(np.log(values)) if logs else question.of_levels(values))
        yield Finding(
            where=where,
            said=f"{said(side, cell)} is {level}{wording.spread(found, judging.confidence)}",
            blocks=found.n,
            figure=Figure("level", found.value, found.low, found.high, unit),
            question=question,
            asserts=asked(relation, edges),
        )


def _sides(
    left: Side, right: Side, relation: Asked, question: Question, judging: Judging
) -> Iterator[Finding]:
    """Two sides of which one is more than a term: a value of each in every block."""
    axes = left.axes if isinstance(left, Extreme) else right.axes if isinstance(right, Extreme) else ()
    for cells in bindings((*terms_of(left), *terms_of(right)), axes, judging):
        one, other = (_along(side, cells, judging) for side in (left, right))
        where = places_of(cells)
        common = sorted((one.keys() & other.keys()) - judging.unlike(where))
        here, there = (np.array([of[block] for block in common]) for of in (one, other))
        names = f"{said(left, cells[0])} and {said(right, cells[0])}"
        if not common:
            yield Finding(where, f"{names} were not measured in any common block.")
            continue
        statement = asked(relation, Edges(question.of_pairs(here, there)))
        found = _two(
            where, said(left, cells[0]), said(right, cells[0]), here, there, question, statement, judging
        )
        yield replace(found, approaching=len(judging.unlike(where)))


def _two(
    where: tuple[Place, ...],
    left: str,
    right: str,
    here: Floats,
    there: Floats,
    question: Question,
    statement: Statement,
    judging: Judging,
) -> Finding:
    if (here > 0).all() and (there > 0).all():
        found = paired_ratio(there, here, judging.confidence)
        times = f"{wording.figure(found.ratio)} times {right}{wording.spread(found, judging.confidence)}"
        figure = Figure("ratio", found.ratio, found.low, found.high)
        return Finding(where, f"{left} is {times}", found.n, figure, statement, question)
    apart = mean_interval(here - there, judging.confidence)
    more = f"{wording.figure(apart.value)} more than {right}{wording.spread(apart, judging.confidence)}"
    figure = Figure("level", apart.value, apart.low, apart.high)
    return Finding(where, f"{left} is {more}", apart.n, figure, statement)


def _along(side: Side, cells: Sequence[Cell], judging: Judging) -> Blocks:
    """A side's value in every block; an extreme is that of the block's own cells."""
    if not isinstance(side, Extreme):
        return value_of(cast(Value, side), cells[0], judging)
    found = [value_of(side.term, cell, judging) for cell in cells]
    common = set.intersection(*(set(one) for one in found))
    values = {block: [one[block] for one in found] for block in sorted(common)}
    if side.word == "spread":
        return {block: 100 * (max(of) / min(of) - 1) for block, of in values.items() if min(of) > 0}
    return {block: (max if side.word == "max" else min)(of) for block, of in values.items()}


def _extreme(side: Extreme, relation: Asked, figure: float, judging: Judging) -> Iterator[Finding]:
    """An extreme of the means of all cells, against a figure."""
    for cells in bindings((side.term,), side.axes, judging):
        where = places_of(cells)
        along = row(side.term, cells, judging)
        of = f"{side.word} {said(side.term, cells[0], axes=True)}"
        if not len(along.values) or (side.word == "spread" and not along.relative):
            yield Finding(where, f"{of} was not measured in every cell of any block.")
            continue
        if side.word == "spread":
            statement = shapes.spread(along, plain(relation), figure / 100, judging.margin)
            ratio = along.apart(along.leading("max"), along.leading("min"))
            low, high = (None if end is None else 100 * (end - 1) for end in (ratio.low, ratio.high))
            found = Figure("level", 100 * (ratio.value - 1), low, high, "%")
        else:
            statement = shapes.extreme(along, side.word, plain(relation), figure, judging.margin)
            found = along.of(along.leading(side.word))
        value = f"{wording.figure(found.value)}{wording.unit(found.unit)}"
        spread_ = wording.ends(found, judging.confidence, len(along.values))
        yield Finding(
            where,
            f"{of} is {value}{spread_}",
            len(along.values),
            found,
            Not(statement) if relation == "!~" else statement,
        )


def places(cell: Cell) -> tuple[Place, ...]:
    return tuple(dict.fromkeys(cell.places.values()))


def places_of(cells: Sequence[Cell]) -> tuple[Place, ...]:
    return tuple(dict.fromkeys(place for cell in cells for place in places(cell)))


def said(side: Side, cell: Cell, *, axes: bool = False) -> str:
    """A side in words: "tps of a=4 at 8 threads"; of several terms as the claim writes it."""
    if isinstance(side, Term):
        place = cell.places[side]
        measure = f"{side.measure}{side.summary or ''}"
        return f"{measure} of {place.treatment if axes else place}"
    at = next(iter(cell.places.values())).at
    return f"{side} {at}" if all(term.selector.load is None for term in terms_of(side)) else str(side)
