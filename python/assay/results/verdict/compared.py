"""Frozen records of comparisons: a ratio at a place, its word, and all that it rests on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isclose
from typing import Literal

from assay.design.study import HIGHER_IS_BETTER, LoadKind, parted

ComparisonWord = Literal[
    "better", "worse", "same", "more", "less", "undecided", "estimate-only", "worth-a-study"
]
"""The word for a comparison. `more` and `less`: the ratio is certainly above or below 1, but it is undecided
whether by more than the margin. `worth-a-study`: a screen's word for any difference that is certain.
"""


@dataclass(frozen=True)
class Place:
    """A treatment at a load point, or over its whole ladder."""

    treatment: str
    load: float | None  # None: over the whole ladder
    load_kind: LoadKind = "threads"

    @property
    def at(self) -> str:
        """The load in words: "at 8 threads", "at 500/s", "over the ladder of threads"."""
        if self.load is None:
            return f"over the ladder of {_LADDER[self.load_kind]}"
        if self.load_kind == "rate":
            return f"at {self.load:g}/s"
        if self.load_kind == "iodepth":
            return f"at a depth of {self.load:g}"
        return f"at {self.load:g} thread{'' if self.load == 1 else 's'}"

    @property
    def sign(self) -> str:
        """The place in signs alone, the same in all languages: `a=4 @ 8`."""
        return self.treatment if self.load is None else f"{self.treatment} @ {self.load:g}"

    def __str__(self) -> str:
        return f"{self.treatment} {self.at}"


_LADDER: Mapping[LoadKind, str] = {"threads": "threads", "rate": "rates", "iodepth": "depths"}


Bound = Literal["exact", "at-least", "at-most", "unknown"]
"""What is known of a ratio where operations never ended, or a closed loop stood still, on its other
side, on its baseline's, or on both."""


FEW = "few-operations"
"""The doubt that a percentile is of too few operations: there is no word."""


Sides = tuple[float | None, float | None]
"""A figure of the baseline and of the other; None where it was not measured."""


def bound_of(other: bool, baseline: bool) -> Bound:
    """Returns what is known of the ratio other / baseline, by whether each side is a lower bound."""
    if other:
        return "unknown" if baseline else "at-least"
    return "at-most" if baseline else "exact"


@dataclass(frozen=True)
class Comparison:
    """Two treatments at one load point, paired by block: ratio = other / baseline."""

    baseline: str
    other: str
    load: float
    measure: str
    ratio: float
    low: float | None
    high: float | None
    p_value: float | None  # sign-flip permutation, two-sided
    blocks: int
    margin: float  # region of indifference: ratio from 1 / (1 + margin) to 1 + margin is "the same"
    word: ComparisonWord
    more_blocks: int | None  # when undecided: how many more would probably settle it
    doubts: tuple[str, ...] = ()  # kinds of the warnings about what was compared
    detectable: float | None = None  # smallest ratio whose direction such blocks find in 80 % of studies
    beyond_p: float | None = None  # two-sided t test of "inside the region"; None where nothing is judged
    q_value: float | None = None  # that, adjusted for all comparisons (Benjamini, Hochberg)
    bound: Bound = "exact"
    stalled_pct: Sides | None = None  # beside a percentile: time with less than half of the median throughput
    corrected_ms: Sides | None = None  # with the operations that a closed loop would have sent meanwhile
    loads: int | None = None  # of the data, each a unit of the interval; None: blocks are the units
    missed: float | None = None  # of all starts: a kind that no block had may have so large a share
    withstands: float | None = None  # correlation of neighbouring blocks up to which the word stays the same


_ALIKE = 1e-3
"""Share within which ratios of two rates of the same work agree: the window cuts some of it off."""


def first_of(found: Sequence[Comparison]) -> tuple[int, ...]:
    """Returns for each comparison the number of the first that counts the same work: queries of a fixed
    number in each transaction repeat what transactions say, and are no second comparison.
    """
    first: list[int] = []
    kept: dict[tuple[str, str, float], list[int]] = defaultdict(list)
    for number, one in enumerate(found):
        alike = kept[one.baseline, one.other, one.load]
        same = next((other for other in alike if _repeats(found[other], one)), number)
        first.append(same)
        if same == number:
            alike.append(number)
    return tuple(first)


def distinct(found: Sequence[Comparison]) -> tuple[Comparison, ...]:
    """Returns comparisons without those that count the same work as another."""
    return tuple(found[number] for number in dict.fromkeys(first_of(found)))


def _repeats(one: Comparison, other: Comparison) -> bool:
    if not {parted(one.measure)[1], parted(other.measure)[1]} <= HIGHER_IS_BETTER:
        return False
    if one.blocks != other.blocks or (one.margin, one.word) != (other.margin, other.word):
        return False
    ends = zip((one.ratio, one.low, one.high), (other.ratio, other.low, other.high), strict=True)
    return all(
        here is there is None or (here and there and isclose(here, there, rel_tol=_ALIKE))
        for here, there in ends
    )


@dataclass(frozen=True)
class Differing:
    """What differs in the cost of one operation between two treatments: `reasons`, the clearest first, of the
    `compared` measures that both have in enough blocks. With none compared, nothing is known.
    """

    baseline: str
    other: str
    compared: tuple[str, ...]
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True)
class Reason:
    """A cost or counter of one operation that differs beyond the margin.

    `change` is the mean, over blocks and load points, of (after - before) / the mean of both, which also
    exists where one of them is 0: 2/3 is twice as much, 2 is something against nothing. `low` and `high` are
    its interval at the study's confidence. `distance` is how far this lies beyond the margin, in its own
    widths. `before` and `after` are means over blocks at the highest `load`. `ratio` and its interval are
    geometric means of after / before over blocks and load points; None where some value is 0. `alike` are
    measures that say the same.
    """

    measure: str
    unit: str
    load: float
    before: float
    after: float
    change: float
    low: float
    high: float
    distance: float
    blocks: int
    ratio: float | None = None
    ratio_low: float | None = None
    ratio_high: float | None = None
    alike: tuple[str, ...] = ()
