"""Reads the sides, chains, bands, axes and ranges of a claim, and refuses sides that cannot be compared."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal, cast

from assay.design.study.claims.joint import Joint
from assay.design.study.claims.ranges import axes, terms_in, window
from assay.design.study.claims.reader import KEYWORDS, ClaimReader, Relation
from assay.design.study.claims.sides import Band, Difference, Extreme, Figure, Quotient, Side
from assay.design.study.claims.terms import Term
from assay.design.study.measures import comparable, of_a_phase, parted

EXTREME = re.compile(rf"(?:max|min|spread)\s+(?!(?:{'|'.join(KEYWORDS)})\b)(?=[A-Za-z0-9_])")
"""A word that begins an extreme side; `max` alone is the measure `max_ms`."""
_JOINT = re.compile(r"(?:and|or)\b")
_BY = re.compile(r"by\b")
_TO = re.compile(r"to\b")
_OWN_WINDOW = re.compile(r"(?:in\s+(?:first|last)|before|after)\b")
_GOES_ON = re.compile(r"[<>=!~/]|-(?=\s*[A-Za-z_])")
"""What follows a term whose window is its own: a relation, or another term."""
_TIMES = re.compile(r"\*|×")


@dataclass(frozen=True)
class _Read:
    """A side with the position where it begins; the unit of a figure is read before the measure that decides
    its meaning.
    """

    side: Side
    at: int
    short: bool = False
    unit: tuple[str | None, int] = (None, 0)


def chain(
    text: ClaimReader,
) -> tuple[tuple[Side, ...], tuple[Relation, ...], tuple[Band | None, ...]]:
    """Reads sides with relations between them. Raises ClaimSyntaxError for sides that cannot be compared."""
    read = [_side(text)]
    relations: list[Relation] = []
    bands: list[Band | None] = []
    places: list[int] = []
    while not relations or text.relation_next():
        places.append(text.skip())
        relations.append(text.relation())
        read.append(_side(text))
        at = text.skip()
        bands.append(band(text))
        if bands[-1] is not None:
            _check_band(text, relations[-1], read[-2:], at)
    sides = tuple(_in_place(text, read, number) for number in range(len(read)))
    for number, at in enumerate(places):
        left, right = sides[number], sides[number + 1]
        if isinstance(left, Figure) and isinstance(right, Figure):
            text.fail("expected a measure to compare the figure with", read[number].at)
        if isinstance(left, Figure) or isinstance(right, Figure):
            figure, other = (number + 1, left) if isinstance(right, Figure) else (number, right)
            if isinstance(other, Quotient) and cast(Figure, sides[figure]).value <= 0:
                text.fail("a ratio must be compared with a figure above 0", read[figure].at)
        else:
            check_sides(text, left, right, at, read[number + 1].at)
    return sides, tuple(relations), tuple(bands)


def term_of(text: ClaimReader) -> Term:
    """Reads a term, with a window of its own where the claim goes on behind it: `tps in last 2m > tps in
    first 2m`.

    Once one side has its own, the window behind the last side is that side's.
    """
    found = text.term()
    at = text.at
    if not text.peek(_OWN_WINDOW):
        return found
    own = window(text)
    if text.wrote_window or text.peek(_GOES_ON):
        text.wrote_window = True
        return replace(found, window=own)
    text.at = at
    return found


def expression(text: ClaimReader) -> Term | Quotient | Difference:
    """Reads an expression: `a`, `a / b`, `a - b`, `a / b - c / d`."""
    left = _quotient(text)
    if not text.take("-"):
        return left
    at = text.skip()
    right = _quotient(text)
    if left == right:
        text.fail('both sides of "-" are the same', at)
    check_sides(text, left, right, at)
    return Difference(left, right)


def check_sides(text: ClaimReader, left: Side, right: Side, at: int, right_at: int | None = None) -> None:
    """Raises ClaimSyntaxError unless the two sides can be compared."""
    if left == right:
        text.fail("both sides are the same", at)
    if isinstance(left, Quotient) != isinstance(right, Quotient):
        where = at if right_at is None or isinstance(right, Quotient) else right_at
        text.fail("a ratio must be compared with a figure, or with another ratio", where)
    if _kind(left) != _kind(right):
        text.fail(f"{left} and {right} are not of one kind: they have no common unit", at)
    if isinstance(left, Term) and isinstance(right, Term):
        if not comparable(left.measure, right.measure) or left.summary != right.summary:
            text.fail(f"compares {_named(left)} with {_named(right)}; both sides need the same measure", at)
        _check_kinds(text, left, right, at)
    elif _unit(left) != _unit(right) or _measures(left) != _measures(right):
        text.fail(f"compares {left} with {right}; both sides need the same measure", at)
    _check_loads(text, (left, right), at)


def band(text: ClaimReader) -> Band | None:
    """Reads a band, `by 50 %`, `by 0 to 5 %` or `by 2 x`; returns None where there is no "by"."""
    if not text.match(_BY):
        return None
    at = text.skip()
    low = text.number()
    high = text.number() if text.match(_TO) else None
    unit_at = text.skip()
    unit = "%" if text.take("%") else "x" if text.take("x") else None
    if unit is None:
        text.fail('expected "%" or "x" (times as much)', unit_at)
    nothing = 0.0 if unit == "%" else 1.0
    if low < nothing or (high is None and low == nothing) or (high is not None and high <= low):
        text.fail("a band must start at 0 or above and go up, as in by 50 %, by 0 to 5 %, by 2 x", at)
    return Band(low, high, cast(Literal["%", "x"], unit))


def joined(text: ClaimReader) -> Joint | None:
    """Reads an "and" or "or", behind which another part follows; returns None where there is none."""
    return cast(Joint | None, text.match(_JOINT))


def _side(text: ClaimReader) -> _Read:
    at = text.skip()
    if text.figure_next():
        figure = _Read(Figure(text.number()), at, unit=text.unit())
        if text.peek(_TIMES):
            text.fail('there are no products: for twice as much write "by 2 x" behind the relation', at)
        return figure
    if word := text.match(EXTREME):
        of = text.term()
        short = text.wrote_short
        side: Side = Extreme(cast(Literal["max", "min", "spread"], word.strip()), of, axes(text, of))
        return _Read(side, at, short and word.strip() != "spread")
    side = expression(text)
    return _Read(side, at, not isinstance(side, Quotient) and text.wrote_short)


def _quotient(text: ClaimReader) -> Term | Quotient:
    numerator = term_of(text)
    if not text.take("/"):
        return numerator
    at = text.skip()
    if text.peek(EXTREME):
        text.fail(
            "max, min and spread are no part of a ratio; for no more than 20 % below the best write collapse"
            " 20 % tps over threads > 128",
            at,
        )
    denominator = term_of(text)
    alike = comparable(numerator.measure, denominator.measure) and numerator.summary == denominator.summary
    one_place = numerator.selector == denominator.selector
    if not alike and (not one_place or any(of_a_phase(of.measure) for of in (numerator, denominator))):
        text.fail(
            f"a ratio of {_named(numerator)} and {_named(denominator)}; both need the same measure, or the"
            " same [ ]: two measures have a ratio at one place",
            at,
        )
    if numerator == denominator:
        text.fail('both sides of "/" are the same', at)
    _check_kinds(text, numerator, denominator, at)
    _check_loads(text, (numerator, denominator), at)
    return Quotient(numerator, denominator)


def _in_place(text: ClaimReader, read: list[_Read], number: int) -> Side:
    """Returns a side; a figure gets the unit of the side before it, or else of the one after it."""
    one = read[number]
    if not isinstance(one.side, Figure):
        return one.side
    other = read[number - 1 if number else 1]
    measure = next((_named(of) for of in terms_in(other.side)), "a figure")
    unit = "" if isinstance(other.side, Figure) else _unit(other.side)
    if isinstance(other.side, Quotient):
        if one.unit[0] == "%" and not unit:
            return Figure(one.side.value / 100)
        measure = str(other.side)
    return Figure(text.in_unit(one.side.value, *one.unit, measure, unit, short=other.short))


def _unit(side: Side) -> str:
    match side:
        case Quotient():
            above, below = _unit(side.numerator), _unit(side.denominator)
            return "" if above == below else f"{above or '1'} per {below or '1'}"
        case Extreme(word="spread"):
            return "%"
        case Extreme(term=of):
            return _unit(of)
        case Difference(left=left):
            return _unit(left)
        case Term():
            return side.unit
    return ""


def _kind(side: Side) -> str:
    """Returns the kind of a side, a level, ratio, difference or spread; only sides of one kind can be
    compared.
    """
    match side:
        case Quotient():
            return "ratio"
        case Difference():
            return "difference"
        case Extreme(word="spread"):
            return "spread"
    return "level"


def _named(of: Term) -> str:
    return f"{of.measure}{of.summary or ''}"


def _measures(side: Side) -> tuple[str, ...]:
    """Returns the measures of a ratio of two measures, which only the same ratio can be compared with; empty
    for other sides.
    """
    return side.measures if isinstance(side, Quotient) and side.of_measures else ()


def _check_kinds(text: ClaimReader, left: Term, right: Term, at: int) -> None:
    here, there = left.selector, right.selector
    alike = dict(here.levels) == dict(there.levels) and here.load == there.load
    if parted(left.measure)[0] != parted(right.measure)[0] and not alike:
        text.fail(
            f"compares {left.measure} with {right.measure} at another place; two kinds can be compared only"
            " where they ran together: write the same [ ] on both sides",
            at,
        )


def _check_loads(text: ClaimReader, sides: tuple[Side, ...], at: int) -> None:
    """Raises ClaimSyntaxError unless every term names a load point or none does; along the load no term
    may.
    """
    if any(isinstance(side, Extreme) for side in sides):
        return
    loads = [one.selector for one in terms_in(*sides)]
    named = [one for one in loads if one.load is not None]
    if named and len(named) < len(loads):
        text.fail(f"name {named[0].load_kind} on both sides or on neither", at)


def _check_band(text: ClaimReader, relation: Relation, sides: list[_Read], at: int) -> None:
    if relation not in (">", "<"):
        text.fail(
            f'"by" says how much greater one side is: it has no meaning with "{relation}"; write > or <, or'
            " a margin in place of it",
            at,
        )
    if any(isinstance(one.side, Figure) for one in sides):
        text.fail('"by" needs two sides that are measured: put it into the figure', at)
