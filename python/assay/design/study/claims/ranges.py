"""Reads the axes, ranges, places and windows of a claim."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NoReturn, cast

from assay.design.study.claims.axes import At, Axis, Between, Beyond, OneOf, Order, Range, position
from assay.design.study.claims.kind import nodes
from assay.design.study.claims.reader import ClaimReader
from assay.design.study.claims.sides import Difference, Extreme, Side
from assay.design.study.claims.terms import Term
from assay.design.study.claims.windows import MOMENTS, Window
from assay.design.study.nearest import did_you_mean
from assay.design.study.values import Scalar

_AT = re.compile(r"at\b")
_IN = re.compile(r"in\b")
_OVER = re.compile(r"over\b")
_SOME = re.compile(r"some\b")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*")
_FIRST_OR_LAST = re.compile(r"(?:first|last)\b")
_BEFORE_OR_AFTER = re.compile(r"(?:before|after)\b")
_BOUND = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s,\[\]"=|<>~]+?(?=\.\.|[|\s,]|$)')
_NUMBER = re.compile(r"[+-]?\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?")
_ORDER = re.compile(r"[<>]")


def axes(text: ClaimReader, *terms: object) -> tuple[Axis, ...]:
    """Reads the axes of a term: `over a, b`."""
    at = text.skip()
    if not text.match(_OVER):
        text.fail('expected "over" and an axis, as in over threads', at)
    found = [_axis(text, terms)]
    while text.take(","):
        at = text.skip()
        found.append(_axis(text, terms))
        if found.count(found[-1]) > 1:
            text.fail(f'"{found[-1]}" is given twice', at)
    return tuple(found)


def axis_of(text: ClaimReader, *terms: object) -> Axis:
    """Reads the axis of a form that has only one."""
    at = text.skip()
    first, *others = axes(text, *terms)
    if others:
        text.fail("can have one axis only; max, min and spread can have several", at)
    return first


def mean_over(text: ClaimReader, sides: Sequence[Side]) -> Axis | None:
    """Reads the axis of a comparison of means, `… >= 1.1 over threads`; returns None where there is none."""
    if not text.peek(_OVER):
        return None
    at = text.skip()
    axis = axis_of(text, *sides)
    if axis.is_time or any(isinstance(side, Extreme | Difference) for side in sides):
        text.fail("the mean over an axis is of measures and ratios, over the load or a factor", at)
    return axis


def range_of(text: ClaimReader, *, after_equals: bool = False) -> Range:
    """Reads a range: `= 16..32`, `= 64|128`, `= 75`, `>= 16`; `after_equals`: its sign was read already."""
    at = text.skip()
    if not after_equals and not text.take("="):
        if not text.peek(_ORDER):
            text.fail("expected a range, as in = 16..32, = 64|128 or >= 16", at)
        return Beyond(cast(Order, text.relation()), _ordered(text))
    at = text.skip()
    points = [bound(text)]
    if text.take(".."):
        if (low := position(points[0])) is None:
            _no_place(text, points[0], at)
        high = _ordered(text)
        top = position(high)
        if top is not None and low >= top:
            text.fail("a range goes from the smaller to the greater, as in 16..32", at)
        return Between(points[0], high)
    while text.take("|"):
        points.append(bound(text))
    return OneOf(tuple(points))


def bound(text: ClaimReader) -> Scalar:
    """Reads a point of an axis: a number where it is one, otherwise its text."""
    at = text.skip()
    written = text.match(_BOUND)
    if written is None:
        text.fail("expected a point of the axis, as in 64", at)
    if _NUMBER.fullmatch(written):
        text.at = at
        return text.number()
    return text.unquoted(written, at)


def place(text: ClaimReader) -> At | None:
    """Reads the place, `at threads < 20` or `at some threads = 64|128`; returns None where there is no
    "at".
    """
    return place_after_at(text) if text.match(_AT) else None


def place_after_at(text: ClaimReader) -> At:
    some = text.match(_SOME) is not None
    return At(_axis(text, ()), range_of(text), some)


def window(text: ClaimReader) -> Window | None:
    """Reads the window, `in last 10m` or `before full_pool`; returns None where there is none."""
    if text.match(_IN):
        at = text.skip()
        side = text.match(_FIRST_OR_LAST)
        if side is None:
            text.fail('expected "first" or "last" and a length of time, as in in last 10m', at)
        return Window(cast(Literal["first", "last"], side), text.duration())
    side = text.match(_BEFORE_OR_AFTER)
    if side is None:
        return None
    at = text.skip()
    moment = text.match(_WORD)
    if moment is None:
        return Window(cast(Literal["before", "after"], side), text.duration())
    if moment not in MOMENTS:
        text.fail(f'"{moment}" is not a moment of a window{did_you_mean(moment, MOMENTS)}', at)
    return Window(cast(Literal["before", "after"], side), moment)


def terms_in(*sides: object) -> Iterator[Term]:
    """Yields every term in these trees, from left to right."""
    return (found for found in nodes(sides) if isinstance(found, Term))


def _axis(text: ClaimReader, sides: tuple[object, ...]) -> Axis:
    at = text.skip()
    name = text.match(_WORD)
    if name is None:
        text.fail("expected an axis: threads, rate, iodepth, a factor or time", at)
    axis = Axis(name)
    for found in terms_in(*sides):
        if axis.is_load and found.selector.load is not None:
            text.fail(f"goes over {axis}: name no {found.selector.load_kind} in [ ]", at)
        if any(factor == name for factor, _ in found.selector.levels):
            text.fail(f'goes over {axis}: name no level of it in [ ], as "{found}" does', at)
    return axis


def _ordered(text: ClaimReader) -> Scalar:
    at = text.skip()
    found = bound(text)
    if position(found) is None:
        _no_place(text, found, at)
    return found


def _no_place(text: ClaimReader, level: Scalar, at: int) -> NoReturn:
    text.fail(f'"{level}" has no place in an order; write the levels, as in = a|b', at)
