"""The rule that turns intervals into supported, refuted or undecided."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from assay.results.stats import (
    MOST_BLOCKS,
    alike_factor,
    mean_interval,
    more_blocks,
    share_interval,
    wariness,
    withstood,
)
from assay.results.verdict.answers import Nearest
from assay.results.verdict.needed import UNKNOWN, Needed
from assay.results.verdict.phrases import Phrase

Floats = NDArray[np.float64]
Outcome = Literal["supported", "refuted", "undecided"]
Side = Literal[">", "<", ">=", "<="]


@dataclass(frozen=True)
class Contrast:
    """An assertion that the mean of `values`, one a block, lies on a given side of zero. `width` widens its
    interval.
    """

    values: Floats
    side: Side
    width: float = 1.0

    def decide(self, confidence: float) -> Outcome:
        """Returns supported or refuted when the whole interval lies on one side. A single value decides
        nothing.
        """
        found = mean_interval(self.values, confidence)
        if found.low is None or found.high is None:
            return "undecided"
        low, high = (found.value + (end - found.value) * self.width for end in (found.low, found.high))
        match self.side:
            case ">":
                return "supported" if low > 0 else "refuted" if high <= 0 else "undecided"
            case ">=":
                return "supported" if low >= 0 else "refuted" if high < 0 else "undecided"
            case "<":
                return "supported" if high < 0 else "refuted" if low >= 0 else "undecided"
            case "<=":
                return "supported" if high <= 0 else "refuted" if low > 0 else "undecided"

    @property
    def against(self) -> bool:
        """Returns whether the mean alone speaks against the claim."""
        mean = float(self.values.mean())
        return mean < 0 if self.side.startswith(">") else mean > 0

    def blocks_to_go(self, confidence: float, fewest: int) -> int | None:
        """Returns how many more blocks would probably decide it; None when that is more than 200 in all. At
        least two blocks must be there: one says nothing about the noise.
        """
        n = self.values.size
        sd = float(self.values.std(ddof=1)) * self.width
        if sd == 0:
            return max(fewest - n, 1)
        return more_blocks(float(self.values.mean()), sd, n, confidence, fewest=fewest)

    @property
    def clearance(self) -> float:
        """How far the mean lies on the claim's side of zero, in standard errors."""
        n = self.values.size
        mean, sd = float(self.values.mean()), float(self.values.std(ddof=1)) if n > 1 else 0.0
        side = mean if self.side.startswith(">") else -mean
        return side / (sd / n**0.5) if sd > 0 else float(np.copysign(np.inf, side)) if side else 0.0


class Statement(Protocol):
    """A statement that is true or false, judged by intervals."""

    def decide(self, confidence: float) -> Outcome: ...

    def leaves(self) -> Iterator[Edges]:
        """Yields every interval on which the statement rests."""

    def to_go(self, confidence: float, chances: int, fewest: int) -> Needed: ...


@dataclass(frozen=True)
class Edges:
    """One interval and the edges that it must clear: one edge of `>`, both of `~`.

    Where a claim has several intervals, `nearest` names this one in signs ("32 / 16 threads") and has its
    figure.
    """

    contrasts: tuple[Contrast, ...]
    nearest: Nearest | None = None

    def decide(self, confidence: float) -> Outcome:
        return all_of(self.contrasts, confidence)

    def leaves(self) -> Iterator[Edges]:
        yield self

    def to_go(self, confidence: float, chances: int, fewest: int) -> Needed:
        if any(contrast.values.size < 2 for contrast in self.contrasts):
            return UNKNOWN
        needed: list[int | None] = []
        for contrast in self.contrasts:
            level = corrected(confidence, chances) if contrast.against else confidence
            if contrast.values.size < fewest or contrast.decide(level) == "undecided":
                needed.append(contrast.blocks_to_go(level, fewest))
        known = [blocks for blocks in needed if blocks is not None]
        if len(known) < len(needed):
            return Needed(None, too_many=True)
        return Needed(max(known, default=None))

    @property
    def clearance(self) -> float:
        """How far the interval's middle lies on the claim's side of its nearest edge, in standard errors."""
        return min(contrast.clearance for contrast in self.contrasts)


@dataclass(frozen=True)
class Not:
    """The negation of a statement."""

    of: Statement

    def decide(self, confidence: float) -> Outcome:
        return OPPOSITE[self.of.decide(confidence)]

    def leaves(self) -> Iterator[Edges]:
        return self.of.leaves()

    def to_go(self, confidence: float, chances: int, fewest: int) -> Needed:
        return self.of.to_go(confidence, chances, fewest)


@dataclass(frozen=True)
class All:
    """A conjunction: supported when every statement is, each at the full level; refuted by one, corrected for
    their number.
    """

    of: tuple[Statement, ...]

    def decide(self, confidence: float) -> Outcome:
        if refuted_together([one.decide for one in self.of], confidence):
            return "refuted"
        supported = self.of and all(one.decide(confidence) == "supported" for one in self.of)
        return "supported" if supported else "undecided"

    def leaves(self) -> Iterator[Edges]:
        for one in self.of:
            yield from one.leaves()

    def to_go(self, confidence: float, chances: int, fewest: int) -> Needed:
        still_open = [one for one in self.of if one.decide(confidence) != "supported"]
        found = [one.to_go(confidence, chances * len(self.of), fewest) for one in still_open]
        if any(one.too_many for one in found):
            return Needed(None, too_many=True)
        known = [one.blocks for one in found if one.blocks is not None]
        return Needed(max(known) if known and len(known) == len(found) else None)


@dataclass(frozen=True)
class Some:
    """A disjunction, the mirror image of `All`: at least one of the statements is true."""

    of: tuple[Statement, ...]

    def decide(self, confidence: float) -> Outcome:
        return OPPOSITE[All(tuple(Not(one) for one in self.of)).decide(confidence)]

    def leaves(self) -> Iterator[Edges]:
        for one in self.of:
            yield from one.leaves()

    def to_go(self, confidence: float, chances: int, fewest: int) -> Needed:
        level = corrected(confidence, max(len(self.of), 1))
        found = [one.to_go(level, chances, fewest) for one in self.of]
        known = [one.blocks for one in found if one.blocks is not None]
        return Needed(min(known)) if known else Needed(None, too_many=any(one.too_many for one in found))


def wary(statement: Statement) -> Statement:
    """Returns a statement whose intervals are as wide as blocks that end with the verdict demand."""
    return _widened(statement, lambda one: wariness(one.values))


def withstands(statement: Statement, outcome: Outcome, confidence: float) -> float | None:
    """Returns the correlation of neighbouring blocks up to which a statement keeps its outcome; None where it
    rests on no interval over blocks.
    """
    sizes = [one.values.size for edges in statement.leaves() for one in edges.contrasts]
    if not sizes or min(sizes) < 2:
        return None

    def holds(correlation: float) -> bool:
        def width(one: Contrast) -> float:
            return max(one.width, alike_factor(one.values.size, correlation, confidence))

        return _widened(statement, width).decide(confidence) == outcome

    return withstood(holds)


def _widened(statement: Statement, width: Callable[[Contrast], float]) -> Statement:
    match statement:
        case Edges():
            contrasts = tuple(replace(one, width=width(one)) for one in statement.contrasts)
            return replace(statement, contrasts=contrasts)
        case All() | Some():
            return replace(statement, of=tuple(_widened(one, width) for one in statement.of))
        case Not():
            return Not(_widened(statement.of, width))
        case _:
            return statement


Answers = Callable[[float], frozenset[int]]
"""Numbers of the answers that are not ruled out at a confidence."""


@dataclass(frozen=True)
class Within:
    """The statement that the true answer is one of those wanted; `wanted_in_words` is the claim's word for
    them.
    """

    may_be: Answers
    wanted: frozenset[int]
    wanted_in_words: Phrase

    def decide(self, confidence: float) -> Outcome:
        found = self.may_be(confidence)
        if not found & self.wanted:
            return "refuted"
        return "supported" if found <= self.wanted else "undecided"

    def leaves(self) -> Iterator[Edges]:
        yield from ()

    def to_go(self, confidence: float, chances: int, fewest: int) -> Needed:
        return UNKNOWN


@dataclass(frozen=True)
class InOrder:
    """The statement that one true answer lies before, after or at another. Each is known at half of the error
    probability (Bonferroni).
    """

    one: Answers
    relation: Literal[">", "<", ">=", "<=", "~"]
    other: Answers

    def decide(self, confidence: float) -> Outcome:
        level = corrected(confidence, 2)
        one, other = self.one(level), self.other(level)
        if not one or not other:
            return "undecided"
        if self.relation.startswith(">"):
            one, other = other, one
        if self.relation == "~":
            return "refuted" if not one & other else "supported" if len(one | other) == 1 else "undecided"
        if self.relation in (">=", "<="):
            return (
                "supported" if max(one) <= min(other) else "refuted" if min(one) > max(other) else "undecided"
            )
        return "supported" if max(one) < min(other) else "refuted" if min(one) >= max(other) else "undecided"

    def leaves(self) -> Iterator[Edges]:
        yield from ()

    def to_go(self, confidence: float, chances: int, fewest: int) -> Needed:
        return UNKNOWN


@dataclass(frozen=True)
class InShare:
    """The statement that something holds in at least this share of all runs, of which `holding` of `runs` are
    a sample.
    """

    holding: int
    runs: int
    least: float

    def decide(self, confidence: float) -> Outcome:
        low, high = share_interval(self.holding, self.runs, confidence)
        return "supported" if low >= self.least else "refuted" if high < self.least else "undecided"

    def leaves(self) -> Iterator[Edges]:
        yield from ()

    def to_go(self, confidence: float, chances: int, fewest: int) -> Needed:
        """Returns how many more runs would decide it if the share stayed as it is."""
        for runs in range(max(self.runs + 1, fewest), MOST_BLOCKS + 1):
            if replace(self, holding=round(self.holding * runs / self.runs), runs=runs).decide(
                confidence
            ) != ("undecided"):
                return Needed(runs - self.runs)
        return Needed(None, too_many=True)


@dataclass(frozen=True)
class CertainOutcome:
    """A statement whose outcome is certain, beside others that are judged."""

    outcome: Outcome

    def decide(self, confidence: float) -> Outcome:
        return self.outcome

    def leaves(self) -> Iterator[Edges]:
        yield from ()

    def to_go(self, confidence: float, chances: int, fewest: int) -> Needed:
        return UNKNOWN


OPPOSITE: dict[Outcome, Outcome] = {
    "supported": "refuted",
    "refuted": "supported",
    "undecided": "undecided",
}


def asserted(statement: Statement) -> tuple[Statement, ...]:
    """Returns the statements that must each hold, since each is a chance to refute the whole wrongly."""
    if isinstance(statement, All):
        return tuple(part for one in statement.of for part in asserted(one))
    return (statement,)


def nearest(statement: Statement, confidence: float) -> Edges | None:
    """Returns the named interval that is furthest from supporting its statement; None when all support it."""
    still_open = [one for one in statement.leaves() if one.nearest and one.decide(confidence) != "supported"]
    return min(still_open, key=lambda one: one.clearance, default=None)


def all_of(contrasts: Sequence[Contrast], confidence: float) -> Outcome:
    """Returns the outcome of contrasts asserted together: one that fails refutes, one undecided leaves it
    undecided.
    """
    return whole([one.decide(confidence) for one in contrasts])


def whole(outcomes: Sequence[Outcome]) -> Outcome:
    """Returns the outcome of a claim with several parts: supported when every part is, refuted by one part.

    That is an intersection-union test, which needs no correction for the number of parts.
    """
    if "refuted" in outcomes:
        return "refuted"
    return "supported" if outcomes and set(outcomes) == {"supported"} else "undecided"


def refuted_together(parts: Sequence[Callable[[float], Outcome]], confidence: float) -> frozenset[int]:
    """Returns which parts are refuted when all are tested: Holm's (1979) step-down on the level.

    One refuted part refutes a claim, so each of m parts would be a chance to refute it wrongly. The first
    must be refuted at (1 - confidence) / m, the next at (1 - confidence) / (m - 1), and so on.
    """
    refuted: set[int] = set()
    while len(refuted) < len(parts):
        level = corrected(confidence, len(parts) - len(refuted))
        more = {
            number
            for number, decide in enumerate(parts)
            if number not in refuted and decide(level) == "refuted"
        }
        if not more:
            break
        refuted |= more
    return frozenset(refuted)


def corrected(confidence: float, parts: int) -> float:
    """Returns the confidence that each of `parts` needs so that all together have the given one
    (Bonferroni).
    """
    return 1 - (1 - confidence) / parts
