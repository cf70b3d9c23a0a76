"""Words and numbers for rows of cells: missing values, remaining answers, wanted cells."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Literal

from assay.design.study.claims import Between, Beyond, OneOf, Range, position, within
from assay.results.verdict import shapes
from assay.results.verdict.claims.bindings import Cell
from assay.results.verdict.claims.finding import Finding, JudgingContext
from assay.results.verdict.claims.relation import Value, places_of, said_along
from assay.results.verdict.compared import Place
from assay.results.verdict.decision import Answers, Within
from assay.results.verdict.phrases import Phrase, percent, phrase

Rest = Literal["inside", "first", "last"]


def located(
    what: Phrase,
    cells: Sequence[Cell],
    along: shapes.Row,
    statement: Within,
    judging: JudgingContext,
    *,
    gap: bool = False,
) -> Finding:
    blocks = len(along.values)
    found = listed(along, statement.may_be, judging, gap=gap)
    answers = (
        tuple(name(along, at) for at in sorted(statement.may_be(judging.confidence))) if blocks > 1 else ()
    )
    said = phrase("located", what=what, found=found, percent=percent(judging.confidence), blocks=blocks)
    return Finding(
        where(cells),
        (said,),
        blocks,
        asserts=statement,
        answers=answers,
        approaching=len(judging.unlike(places_of(cells))),
    )


def listed(along: shapes.Row, may_be: Answers, judging: JudgingContext, *, gap: bool = False) -> Phrase:
    """Returns the remaining answers in words: "32", "16 or 32"; for a crossover, the rungs between which it
    lies; with fewer than two blocks, "an unknown place".
    """
    if len(along.values) < 2:
        return phrase("place-unknown")
    found = sorted(may_be(judging.confidence))
    if not found:
        return phrase("place-none")
    if gap:
        after = name(along, found[-1])
        if not found[0]:
            return phrase("place-up-to", after=after)
        return phrase("place-between", before=name(along, found[0] - 1), after=after)
    return phrase("place-of", places=tuple(name(along, at) for at in found))


def name(along: shapes.Row, at: int) -> str:
    """Returns the name of a cell in signs; that of what lies beyond the last is `> 128`."""
    return along.names[at] if at < len(along.names) else f"> {along.names[-1]}"


def gaps(along: shapes.Row, wanted: Range, *, half_a_rung: bool = False) -> frozenset[int]:
    """Returns the rungs for which a wanted point lies at the rung, or between it and the rung before.

    What has happened by 32 and not by 16 may have happened at 20. With `half_a_rung` the gap reaches half a
    rung further on both sides, for events that do not occur at a rung and cannot be located more finely.
    """
    points = [position(name) or 0.0 for name in along.names]
    ends = [0.0, *points, math.inf]
    gaps = list(pairwise(ends))
    if half_a_rung:
        middles = [math.sqrt(low * high) for low, high in gaps]
        gaps = list(zip([0.0, *middles[:-1]], [*middles[1:], math.inf], strict=True))
    return frozenset(number for number, gap in enumerate(gaps) if _meet(wanted, *gap))


def _meet(wanted: Range, low: float, high: float) -> bool:
    """Returns whether a range has a point above `low` and up to `high`."""
    match wanted:
        case OneOf():
            return any(low < at <= high for point in wanted.points if (at := position(point)) is not None)
        case Between():
            begin, end = position(wanted.low), position(wanted.high)
            return begin is not None and end is not None and begin <= high and end > low
        case Beyond():
            edge = position(wanted.edge)
            return edge is not None and (low < edge if wanted.relation.startswith("<") else high > edge)


def missing(side: Value, cells: Sequence[Cell], along: shapes.Row) -> Finding | None:
    return None if len(along.values) else not_measured(side, cells)


def not_measured(side: Value, cells: Sequence[Cell]) -> Finding:
    return Finding(where(cells), (phrase("not-in-every-cell", what=said_along(side, cells)),))


def where(cells: Sequence[Cell]) -> tuple[Place, ...]:
    """Returns the places of all cells; the whole ladder where they lie along it."""
    found = places_of(cells)
    treatments = dict.fromkeys(place.treatment for place in found)
    if len({place.load for place in found}) > 1:
        return tuple(replace(found[0], treatment=one, load=None) for one in treatments)
    return found


def in_words(wanted: Range | Rest) -> Phrase:
    if isinstance(wanted, str):
        return phrase(f"wanted-{wanted}")
    return phrase("wanted-range", range=str(wanted))


def wanted(along: shapes.Row, where: Range | Rest) -> frozenset[int]:
    """Returns the numbers of the cells that a range, or a word for a place on the axis, selects."""
    numbers = range(len(along.names))
    match where:
        case "inside":
            return frozenset(numbers[1:-1])
        case "first":
            return frozenset(numbers[:1])
        case "last":
            return frozenset(numbers[-1:])
    texts = set(within(where, along.names))
    return frozenset(number for number in numbers if along.names[number] in texts)
