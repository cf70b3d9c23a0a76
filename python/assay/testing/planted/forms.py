"""Computes the figures for which a part of a claim is true or false: a function for each form of part."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Literal, assert_never

from assay.design.study import (
    HIGHER_IS_BETTER,
    Claim,
    ClaimPart,
    ComparisonClaim,
    EveryRunClaim,
    Term,
    parted,
)
from assay.design.study.claims import (
    Axis,
    Band,
    Bend,
    BestClaim,
    CauseClaim,
    CourseClaim,
    CrossoverClaim,
    Difference,
    Extreme,
    Figure,
    KneeClaim,
    Link,
    ObjectiveClaim,
    Quotient,
    Range,
    Relation,
    Side,
    within,
)
from assay.testing.planted.causes import of_cause
from assay.testing.planted.ground import Cell, Ground, in_order
from assay.testing.planted.wants import Apart, Between, Exactly, Grows, Times, Want

CLEAR = 1.08
"""Factor by which a figure that is meant to be beyond an edge lies beyond it."""

CLOSE = 1.003
"""Factor from the middle of a region at which a figure meant to be inside lies: figures are rounded."""

Wants = Callable[[bool], Iterator[Want]]
"""Yields the wants of a statement that shall be true, or false."""


def atoms(claim: Claim, ground: Ground) -> list[Wants]:
    """Returns the statements of a claim that must all hold: each relation of a chain, each other part; parts
    joined by "or" are one.
    """
    ground = ground.of(claim)
    some = claim.at is not None and claim.at.some
    found: list[Wants] = []
    for part in claim.parts:
        of_part = (
            [partial(_link, link) for link in part.links]
            if isinstance(part, ComparisonClaim)
            else [partial(_part, part)]
        )
        found += [partial(_at_some if some else _everywhere, one, ground) for one in of_part]
    return found if claim.joined == "and" else [partial(_all_of, found)]


def _all_of(several: Sequence[Wants], true: bool) -> Iterator[Want]:
    for one in several:
        yield from one(true)


def _everywhere(of: Callable[[Ground, bool], Iterator[Want]], ground: Ground, true: bool) -> Iterator[Want]:
    return of(ground, true)


def _at_some(of: Callable[[Ground, bool], Iterator[Want]], ground: Ground, true: bool) -> Iterator[Want]:
    """Yields wants that make a part true at the last load point alone, which is enough for `at some`."""
    for load in ground.loads:
        yield from of(replace(ground, loads=(load,)), true and load == ground.loads[-1])


def _part(part: ClaimPart, ground: Ground, true: bool) -> Iterator[Want]:
    match part:
        case EveryRunClaim():
            yield from _every_run(part, ground, true)
        case CourseClaim(axis=Axis(is_time=True)):
            yield from _over_time(part, ground, true)
        case CourseClaim():
            yield from _course(part, ground, true)
        case BestClaim():
            yield from _best(part, ground, true)
        case KneeClaim():
            yield from _knee(part, ground, true)
        case CrossoverClaim():
            yield from _crossover(part, ground, true)
        case ObjectiveClaim():
            yield from _objective(part, ground, true)
        case CauseClaim():
            yield from of_cause(part, ground, true)
        case ComparisonClaim():
            for link in part.links:
                yield from _link(link, ground, true)
        case _:
            assert_never(part)


def _link(link: Link, ground: Ground, true: bool) -> Iterator[Want]:
    left, right = link.left, link.right
    if isinstance(left, Extreme) or isinstance(right, Extreme):
        yield from _extreme(left, link.relation, right, ground, true)
        return
    for (cell,) in ground.rows([*_terms(left), *_terms(right)]):
        one = _times(left, cell)
        if isinstance(right, Figure):
            low, high = _within(link.relation, *_about(link.relation, right.value, ground.margin), true)
            if isinstance(left, Difference):
                yield Apart(_times(left.left, cell), _times(left.right, cell), low, high)
            else:
                yield Between(one, low, high)
            continue
        other = _times(right, cell)
        if one == other:
            continue  # nothing is held against itself
        if link.by is None:
            region = (1 / (1 + ground.margin), 1 + ground.margin)
            yield Between(one / other, *_within(link.relation, *region, true))
        else:
            yield Between(one / other, *_banded(link.by, ">" if link.relation == ">" else "<", true))


def _within(relation: Relation, low: float, high: float, true: bool) -> tuple[float, float]:
    """Returns the range of a side for which a relation to a region holds, or does not. A single figure has
    `low == high`.
    """
    middle, figure = math.sqrt(low * high), low == high
    inside = (middle / CLOSE, middle * CLOSE)
    above, below = (high * CLEAR, math.inf), (0.0, low / CLEAR)
    if figure:  # near enough for noise to reach across
        above, below = (high * CLEAR, high * CLEAR**3), (low / CLEAR**3, low / CLEAR)
    match relation:
        case "~":
            return inside if true else above
        case "!~":
            return above if true else inside
        case ">":
            return above if true else below if figure else (0.0, middle)
        case "<":
            return below if true else above if figure else (middle, math.inf)
        case ">=":
            return below if not true else above if figure else (middle, math.inf)
        case "<=":
            return above if not true else below if figure else (0.0, middle)


def _about(relation: Relation, figure: float, margin: float) -> tuple[float, float]:
    if relation in ("~", "!~"):
        return figure / (1 + margin), figure * (1 + margin)
    return figure, figure


def _banded(by: Band, order: Literal[">", "<"], true: bool) -> tuple[float, float]:
    near, far = by.ratios(order)
    if far is None:
        above, below = (near * CLEAR, math.inf), (0.0, near / CLEAR)
        return above if (order == ">") == true else below
    middle = math.sqrt(near * far)
    if true:
        return (middle, middle)
    return (far * CLEAR, math.inf) if order == ">" else (0.0, far / CLEAR)


def _extreme(left: Side, relation: Relation, right: Side, ground: Ground, true: bool) -> Iterator[Want]:
    sides = (left, right)
    (axes,) = {side.axes for side in sides if isinstance(side, Extreme)}
    for cells in ground.rows([term for side in sides for term in _terms(side)], axes):
        one, other = (_along(side, cells) for side in sides)
        if isinstance(left, Extreme) and left.word == "spread":
            yield from _spread(one, relation, right, other, ground.margin, true)
        elif isinstance(right, Figure):
            assert isinstance(left, Extreme)
            region = _about(relation, right.value, ground.margin)
            yield from _outermost(one, left.word, _within(relation, *region, true))
        else:
            word = next(side.word for side in sides if isinstance(side, Extreme))
            edges = _within(relation, 1 / (1 + ground.margin), 1 + ground.margin, true)
            for there in other:
                ratios = [here / there for here in one if here != there]
                yield from _outermost(ratios, word, edges)


def _outermost(of: Sequence[Times], word: str, edges: tuple[float, float]) -> Iterator[Want]:
    """Yields wants that put the largest (smallest) of these within the edges: one is there, and none is
    beyond.
    """
    low, high = edges
    if word == "max":
        yield Between(of[len(of) // 2], low, high)
        yield from (Between(one, 0.0, high) for one in of)
    else:
        yield Between(of[len(of) // 2], low, high)
        yield from (Between(one, low, math.inf) for one in of)


def _spread(
    one: Sequence[Times], relation: Relation, right: Side, other: Sequence[Times], margin: float, true: bool
) -> Iterator[Want]:
    if not isinstance(right, Figure):
        assert relation in ("<", ">"), "spreads are held against each other by < and >"
        wide, narrow = (other, one) if (relation == "<") == true else (one, other)
        yield Between(wide[-1] / wide[0], 1.3, math.inf)
        yield from (Between(cell / narrow[0], 1.0, 1.0) for cell in narrow[1:])
        return
    share = right.value / 100
    low, high = _within(relation, *_about(relation, share, margin), true)
    far = high if math.isfinite(high) else max(low, share * CLEAR)
    if relation.startswith("<") == true and relation != "~":
        far = 0.0
    yield Between(one[-1] / one[0], 1 + far, 1 + far)
    yield from (Between(cell / one[0], 1.0, 1 + far) for cell in one[1:-1])


def _every_run(part: EveryRunClaim, ground: Ground, true: bool) -> Iterator[Want]:
    figure = part.value
    more, less = figure * CLEAR + (not figure), figure / CLEAR - (not figure)
    holds, fails = {
        "=": (figure, figure + 1),
        ">": (more, figure),
        ">=": (more, less),
        "<": (less, figure),
        "<=": (less, more),
    }[part.relation]
    for (cell,) in ground.rows([part.term]):
        yield Exactly(cell[part.term].spot, holds, holds if true else fails)


def _objective(part: ObjectiveClaim, ground: Ground, true: bool) -> Iterator[Want]:
    """Yields wants that make every point meet the objectives and be as large as the claim says, or none."""
    limits = [(one.term, one.relation, one.value) for one in part.objectives]
    if part.of is not None and part.relation is not None:
        limits.append((part.of, part.relation, part.value))
    for cells in ground.rows([term for term, _, _ in limits], [part.axis]):
        for cell in cells:
            for term, relation, value in limits:
                yield Between(_times(term, cell), *_within(relation, value, value, true))


def _over_time(part: CourseClaim, ground: Ground, true: bool) -> Iterator[Want]:
    assert isinstance(part.side, Term)
    up = (1.0 if true else 1.3) if part.direction == "is flat" else _change(part, ground, true)[0]
    for (cell,) in ground.rows([part.side]):
        yield Grows(cell[part.side].spot, 1 / up if part.direction == "falls" else up)


def _course(part: CourseClaim, ground: Ground, true: bool) -> Iterator[Want]:
    assert not isinstance(part.side, Difference), "a difference along an axis is not planted"
    for cells in ground.rows(_terms(part.side), [part.axis]):
        row = [_times(part.side, cell) for cell in cells]
        if part.direction == "falls":
            row.reverse()
        if part.direction == "is flat":
            yield from (Between(one / row[0], 1.0, 1.0) for one in row[1 : None if true else -1])
            if not true:
                yield Between(row[-1] / row[0], (1 + ground.margin) * CLEAR, math.inf)
            continue
        low, high = _change(part, ground, true)
        yield Between(row[-1] / row[0], low, high)
        for before, after in pairwise(row):
            yield Between(after / before, *((1.0, math.inf) if true else (0.0, 1.0)))


def _change(part: CourseClaim, ground: Ground, true: bool) -> tuple[float, float]:
    """Returns the ratio of the last point to the first, or of the first to the last for a measure that
    falls.
    """
    if not true:
        return 1 / (1 + ground.margin) / CLEAR**2, 1 / (1 + ground.margin) / CLEAR
    if part.by is None:
        return (1 + ground.margin) * CLEAR, math.inf
    if part.direction == "rises":
        return _banded(part.by, ">", True)
    low, high = _banded(part.by, "<", True)
    return 1 / high, 1 / low if low else math.inf


def _best(part: BestClaim, ground: Ground, true: bool) -> Iterator[Want]:
    high = (part.word == "best") == (parted(part.term.measure)[1] in HIGHER_IS_BETTER)
    for cells in ground.rows([part.term], [part.axis]):
        row = [_times(part.term, cell) for cell in cells]
        inside = _places(part.where, part.axis, ground)
        if part.negated:
            inside = [number for number in range(len(row)) if number not in inside]
        outside = [number for number in range(len(row)) if number not in inside]
        winners, losers = (inside[:1], outside) if true else (outside[-1:], inside)
        yield from (Between(one, 0.0, math.inf) for one in row)  # all of them are measured
        for winner in winners:
            for loser in losers:
                ahead = row[winner] / row[loser] if high else row[loser] / row[winner]
                yield Between(ahead, CLEAR, math.inf)


def _knee(part: KneeClaim, ground: Ground, true: bool) -> Iterator[Want]:
    if isinstance(part.where, Bend):
        yield from _two_knees(part, part.where, ground, true)
        return
    bend = part.bend
    inside = _places(part.where, bend.axis, ground)
    for cells in ground.rows([bend.term], [bend.axis]):
        row = [_times(bend.term, cell) for cell in cells]
        first = 1 if bend.word == "collapse" else 0
        others = [at for at in range(first, len(row)) if at not in inside]
        at = inside[-1] if true else max(others, key=lambda at: min(abs(at - one) for one in inside))
        yield from _bends(bend, row, at)


def _two_knees(part: KneeClaim, other: Bend, ground: Ground, true: bool) -> Iterator[Want]:
    one, same = part.bend, (2, 2)
    apart = {"<": (1, 3), "<=": (1, 3), ">": (3, 1), ">=": (3, 1), "~": same}[part.relation]
    contrary = apart[::-1] if part.relation != "~" else (1, 3)
    for cells in ground.rows([one.term, other.term], [one.axis]):
        for bend, at in zip((one, other), apart if true else contrary, strict=True):
            yield from _bends(bend, [_times(bend.term, cell) for cell in cells], at)


def _bends(bend: Bend, row: Sequence[Times], at: int) -> Iterator[Want]:
    share = bend.percent / 100
    if bend.word == "knee":
        for number, one in enumerate(row):
            if number != at:
                yield Between(one / row[at], 0.0, share / CLEAR if number < at else 1.0)
        return
    for number, one in enumerate(row):
        if number != at - 1:
            yield Between(one / row[at - 1], 0.0, 1.0 if number < at else (1 - share) / CLEAR)


def _crossover(part: CrossoverClaim, ground: Ground, true: bool) -> Iterator[Want]:
    at = _places(part.where, part.axis, ground)[-1]
    for cells in ground.rows([part.first, part.second], [part.axis]):
        for number, cell in enumerate(cells):
            ahead = _times(part.first, cell) / _times(part.second, cell)
            first = (number < at) == true
            yield Between(ahead, *((CLEAR, math.inf) if first else (0.0, 1 / CLEAR)))


def _terms(side: Side) -> list[Term]:
    match side:
        case Term():
            return [side]
        case Quotient():
            return [side.numerator, side.denominator]
        case Difference():
            return [*_terms(side.left), *_terms(side.right)]
        case Extreme():
            return [side.term]
        case Figure():
            return []


def _times(side: Side, cell: Cell) -> Times:
    match side:
        case Term():
            return Times((cell[side],))
        case Quotient():
            return Times((cell[side.numerator],), (cell[side.denominator],))
    return Times(())


def _along(side: Side, cells: Sequence[Cell]) -> list[Times]:
    """Returns a side's product in every cell; one that is no extreme is the same in all."""
    if isinstance(side, Figure):
        return []
    if isinstance(side, Extreme):
        return [_times(side.term, cell) for cell in cells]
    return [_times(side, cells[0])]


def _places(where: Range | str, axis: Axis, ground: Ground) -> list[int]:
    """Returns the numbers of an axis's points that a range holds, or that a word selects."""
    if axis.is_load:
        points: Sequence[float | str] = ground.loads
    else:
        points = in_order(next(one for one in ground.factors if one.name == axis.name))
    numbers = list(range(len(points)))
    match where:
        case "inside":
            return numbers[1:-1]
        case "first":
            return numbers[:1]
        case "last":
            return numbers[-1:]
    assert not isinstance(where, str)
    held = set(within(where, points))
    return [number for number in numbers if points[number] in held]
