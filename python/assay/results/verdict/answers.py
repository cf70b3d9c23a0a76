"""Frozen records of what became of hypotheses: the figure and the outcome of each part, and of the whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from assay.results.verdict.compared import Place
from assay.results.verdict.phrases import Explanation, FigureKind


@dataclass(frozen=True)
class RunsAgree:
    """The finding of a claim about every run; `most` bounds the share of all runs that break it."""

    runs: int
    otherwise: int
    most: float
    confidence: float
    failed: int = 0  # besides: they have no figure

    @property
    def most_percent(self) -> str:
        """`most` in per cent with two digits; for one run at 99.9 % it is 99.9, and not 100."""
        return in_percent(self.most)


def in_percent(share: float) -> str:
    """Returns a share in per cent with two digits; 99.9 % stays 99.9, and is not 100."""
    percent = 100 * share
    return f"{percent:.2g}" if percent < 99 else f"{percent:.4g}"


@dataclass(frozen=True)
class Figure:
    """The number that answers a claim, with its interval at the study's confidence where it has one.

    A `level` is a measure in its own unit; a `ratio` is left / right of the claim; a `load` is a point of the
    ladder; an `order` is a place among others, 1 for the first; a `share` is one of all runs, 0 to 1.
    """

    kind: FigureKind
    value: float
    low: float | None = None
    high: float | None = None
    unit: str = ""  # of a level


@dataclass(frozen=True)
class Nearest:
    """The contrast that decides a claim of several, or that leaves it undecided.

    `name` is in signs alone, the same in all languages: "32 / 16", "a=4 @ 8 / a=1 @ 8".
    """

    name: str
    figure: Figure


@dataclass(frozen=True)
class WholeLadder:
    """Two sides compared over all load points together, by the geometric mean of each block's ratios, left /
    right.

    With one value a block there is one interval, which may show what the part at each load point is too
    uncertain to show.
    """

    name: str  # of the sides, in signs alone: "tps a=4 / a=1"
    loads: int  # how many load points
    figure: Figure
    blocks: int


@dataclass(frozen=True)
class NotBeyond:
    """What an outcome says where its formula reads like more: `>=` holds, and `>` fails, up to the margin."""

    word: Literal["not-more", "not-less"]
    margin: float

    @property
    def percent(self) -> str:
        return f"{100 * self.margin:g}"


OutcomeWord = Literal["supported", "refuted", "undecided", "worth-a-study"]
"""The word for an outcome. `worth-a-study`: a screen's word for what is certain of levels over all
treatments.
"""


@dataclass(frozen=True)
class Part:
    """A part of a hypothesis, judged at the places that are compared, the left one first."""

    where: tuple[Place, ...]
    outcome: Literal["supported", "refuted", "undecided"]
    figure: Figure | None
    blocks: int
    more_blocks: int | None
    explanation: Explanation  # with the figures
    doubts: tuple[str, ...] = ()  # kinds of the warnings about what was judged
    too_many_blocks: bool = False  # repeating would hardly settle it
    runs: RunsAgree | None = None  # of a claim about every run
    nearest: Nearest | None = None  # where several things are asserted
    answers: tuple[str, ...] = ()  # of a claim that asks where: rungs or levels that are not ruled out
    says: NotBeyond | None = None  # the left side is not more, or not less, by more than the margin
    missed: float | None = None  # of a supported "~": a kind of start that no block had, as a share at most
    withstands: float | None = None  # correlation of neighbouring blocks up to which the outcome stays so
    worth_a_study: bool = False  # undecided, for it is about levels of a screen: its interval is certain

    @property
    def word(self) -> OutcomeWord:
        """The outcome, or what a screen says in place of it."""
        return "worth-a-study" if self.worth_a_study else self.outcome

    @property
    def load(self) -> float | None:
        """The load point of the left side; None over a whole ladder."""
        return self.where[0].load

    @property
    def missed_percent(self) -> str:
        """`missed` in per cent with two digits; empty without one."""
        return "" if self.missed is None else in_percent(self.missed)

    @property
    def treatments(self) -> tuple[str, ...]:
        """Treatments of the claim's left and right side; one where both are the same."""
        return tuple(dict.fromkeys(place.treatment for place in self.where))


def said_by(parts: Sequence[Part]) -> NotBeyond | None:
    """Returns what parts say where their formula reads like more; None where they say several things."""
    said = {part.says for part in parts if part.outcome != "undecided"} - {None}
    return said.pop() if len(said) == 1 else None


@dataclass(frozen=True)
class HypothesisVerdict:
    """The outcome of one hypothesis, as a whole and at each load point that it is about.

    It is supported when every part is; refuted when any part is, with a correction for the number of parts;
    otherwise undecided.
    """

    claim: str
    source: str | None
    outcome: Literal["supported", "refuted", "undecided"]
    explanation: Explanation
    parts: tuple[Part, ...]
    more_blocks: int | None = None  # when undecided: as many as the part needs that needs most
    too_many_blocks: bool = False  # repeating would hardly settle some part
    ladders: tuple[WholeLadder, ...] = ()  # beside the parts: it decides nothing
    worth_a_study: bool = False  # undecided, and every undecided part is that of a screen's levels
    named: Literal["unknown", "before", "after"] = "unknown"  # the first block, on the terms of now
    named_after: int | None = None  # blocks that were seen by then

    @property
    def says(self) -> NotBeyond | None:
        """What the outcome says where the formula reads like more; None where it reads as it is, or says
        several things.
        """
        return said_by([part for part in self.parts if part.outcome == self.outcome])

    @property
    def word(self) -> OutcomeWord:
        """The outcome, or what a screen says in place of it."""
        return "worth-a-study" if self.worth_a_study else self.outcome

    @property
    def may_be_chance(self) -> bool:
        """Whether it rests on an interval, which is wrong now and then; a count of runs is what it is."""
        return any(part.runs is None for part in self.parts)

    @property
    def doubts(self) -> tuple[str, ...]:
        """Kinds of the warnings about any part."""
        return tuple(dict.fromkeys(kind for part in self.parts for kind in part.doubts))
