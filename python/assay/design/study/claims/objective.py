"""The claim `max rate with p99_ms < 50 ms >= 1000`: how much there is while objectives are met."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import cast

from assay.design.study.claims.axes import Axis, Order
from assay.design.study.claims.kind import ClaimKind
from assay.design.study.claims.ranges import axis_of
from assay.design.study.claims.reader import ClaimReader
from assay.design.study.claims.terms import LADDERS, Selector, Term
from assay.design.study.values import level_text

_MAX = re.compile(r"max\s+(?=[^<>~]*\swith\b)")
_WITH = re.compile(r"with\b")
_LOAD = re.compile(rf"(?:{'|'.join(LADDERS)})\b")
_AT_TERM = re.compile(rf"at\b(?!\s+(?:some|{'|'.join(LADDERS)})\b)")


@dataclass(frozen=True)
class Objective:
    """What a point must meet to count: `p99_ms < 50`."""

    term: Term
    relation: Order
    value: float

    def __str__(self) -> str:
        return f"{self.term} {self.relation} {level_text(self.value)}"


@dataclass(frozen=True)
class ObjectiveClaim(ClaimKind):
    """Claims how large the load is, or a term, at the best point that meets all objectives, or without a
    relation that there is such a point.

    A point of a ladder of rates counts only where the rate was carried out. Objectives and term have one
    selector.
    """

    of: Term | None  # None: the load itself
    objectives: tuple[Objective, ...]
    axis: Axis
    relation: Order | None = None
    value: float = 0.0

    uses_margin = False

    @classmethod
    def parse(cls, text: ClaimReader) -> ObjectiveClaim | None:
        if not text.match(_MAX):
            return None
        load = text.match(_LOAD)
        of, short = (None, False) if load else (text.term(), text.wrote_short)
        if not text.match(_WITH):
            return None
        objectives = tuple(_objectives(text))
        at = text.skip()
        terms = [*([] if of is None else [of]), *(one.term for one in objectives)]
        selector = _one_selector(text, terms, at)
        axis = Axis(load) if load else axis_of(text, *terms)
        if axis.is_time or any(term.selector.load is not None for term in terms):
            text.fail("the best point is one of the load or of a factor: name no load in [ ]", at)
        relation, value = _size(text, of, short, optional=len(objectives) > 1)
        if of is not None:
            of = replace(of, selector=selector)
        objectives = tuple(replace(one, term=replace(one.term, selector=selector)) for one in objectives)
        return cls(of, objectives, axis, relation, value)

    def __str__(self) -> str:
        said = f"max {self.of or self.axis} with {', '.join(map(str, self.objectives))}"
        over = "" if self.of is None else f" over {self.axis}"
        return said + over + ("" if self.relation is None else f" {self.relation} {level_text(self.value)}")


def _objectives(text: ClaimReader) -> Iterator[Objective]:
    yield _objective(text)
    while text.take(",") or text.match(_AT_TERM):
        yield _objective(text)


def _objective(text: ClaimReader) -> Objective:
    term, short = text.term(), text.wrote_short
    return Objective(term, _order(text), _figure(text, term, short))


def _size(text: ClaimReader, of: Term | None, short: bool, *, optional: bool) -> tuple[Order | None, float]:
    at = text.skip()
    if not text.relation_next():
        if not optional:
            text.fail("expected how much there must be, as in >= 1000", at)
        return None, 0.0
    relation = _order(text)
    if of is not None:
        return relation, _figure(text, of, short)
    value = text.number()
    text.take("/s")
    return relation, value


def _order(text: ClaimReader) -> Order:
    at = text.skip()
    relation = text.relation()
    if relation in ("~", "!~"):
        text.fail("an objective has a limit: write >, <, >= or <=", at)
    return cast(Order, relation)


def _figure(text: ClaimReader, term: Term, short: bool) -> float:
    text.wrote_short = short
    return text.figure(term.measure, term.unit)


def _one_selector(text: ClaimReader, terms: list[Term], at: int) -> Selector:
    """Returns the selector of all terms: one that names nothing takes that of the others."""
    named = list(dict.fromkeys(term.selector for term in terms if term.selector != Selector()))
    if len(named) > 1:
        text.fail("an objective is one of the same treatment: write the same [ ] everywhere, or once", at)
    return named[0] if named else Selector()
