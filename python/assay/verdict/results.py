"""Frozen records that `verdict` computes and `report` shows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isclose
from typing import Literal

from assay.stats import Gate
from assay.study import HIGHER_IS_BETTER, SERVER, LoadKind, parted

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

    def __str__(self) -> str:
        return f"{self.treatment} {self.at}"


_LADDER: Mapping[LoadKind, str] = {"threads": "threads", "rate": "rates", "iodepth": "depths"}


@dataclass(frozen=True)
class Estimate:
    """One measure of one treatment at one load point, over blocks.

    `low`, `high`: interval at the study's confidence; None below 2 blocks.
    """

    treatment: str
    load: float
    measure: str  # "tps", "p95_ms", "server_cpu_us_per_query" ...
    unit: str
    value: float
    low: float | None
    high: float | None
    blocks: tuple[tuple[int, float], ...]  # (block, value)
    doubts: tuple[str, ...] = ()  # kinds of the warnings about it
    at_least: bool = False  # operations never ended, or were never sent: the true value may be any above


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
    missed: float | None = None  # of "same": a kind of start that no block had may be so large a share


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


FollowUp = Literal["yes", "open", "no"]


@dataclass(frozen=True)
class FactorEffect:
    """The effect of one factor of a screen over all treatments: `level` against `first`.

    `comparison` has the figures. Of a single block it has no interval: `alone` and `together` then are those
    of Lenth (1989), each right by itself and all right at once.
    """

    factor: str  # by the name that claims have
    first: str
    level: str
    comparison: Comparison
    family_p: float | None  # of the factors at one load point together (Holm); None where nothing is judged
    alone: tuple[float, float] | None
    together: tuple[float, float] | None
    follow_up: FollowUp  # yes: it surely does something; no: the same; open: neither is sure
    interval_word: ComparisonWord = "undecided"  # where the two levels alone had this interval


@dataclass(frozen=True)
class Interaction:
    """The interaction of two factors of a screen: the ratio of one where the other has its second level, over
    its ratio where that has its first. 1 means that neither changes the other's effect.

    What `aliased` pairs do cannot be told from it; `mixed` pairs leak into it by a `share` at most, but what
    those in `explained_by` do was taken out.
    """

    measure: str
    load: float
    factors: tuple[str, str]
    ratio: float
    low: float | None
    high: float | None
    blocks: int
    word: ComparisonWord  # worth-a-study, same, undecided or estimate-only
    q_value: float | None  # of "1", of all pairs of this measure at this load (Benjamini, Hochberg)
    aliased: tuple[tuple[str, str], ...]
    mixed: int
    share: float
    explained_by: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Screening:
    """The results of a screen."""

    kind: str
    folded: bool  # whether main effects are clear of interactions of two factors
    effects: tuple[FactorEffect, ...]
    interactions: tuple[Interaction, ...]


@dataclass(frozen=True)
class CopySpread:
    """One measure of equal treatments at one load point, whose differences are all noise."""

    measure: str
    load: float
    copies: int
    blocks: int  # that have all of them
    log_sd: float  # of one run: standard deviation of the logarithm; `low`, `high`: its interval
    low: float
    high: float
    degrees: int  # of freedom
    by_position: tuple[float, ...]  # runs that come first, second … in a block, as a ratio to the mean
    position_p: float  # F test of "the position in a block does nothing"
    drift: float | None  # ratio from one block to the next; None below three blocks
    drift_p: float | None  # two-sided t test of "level"
    loads: int | None = None  # of the data, one for each copy of a block; None: copies share one
    load_sd: float | None = None  # standard deviation of the logarithms of loads' true means, by moments
    load_p: float | None = None  # F test of "loads are equal"


@dataclass(frozen=True)
class HostRatio:
    """The ratio of one comparison on one host of a fleet, with its interval over the blocks there."""

    host: str  # empty: the lab's own machine, beside hosts of a fleet
    blocks: int
    ratio: float
    low: float | None
    high: float | None

    @property
    def spoken(self) -> str:
        """The host in a sentence."""
        return self.host or "the lab's own machine"


@dataclass(frozen=True)
class HostAgreement:
    """What hosts say about one comparison. `p_value` is that of "all have one ratio", `between_sd` the
    standard deviation of the logarithms of their true ratios; None where no host has two blocks.
    """

    measure: str
    load: float
    baseline: str
    other: str
    margin: float
    by_host: tuple[HostRatio, ...]
    p_value: float | None
    between_sd: float | None


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


FigureKind = Literal["level", "ratio", "load", "order", "share"]


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

    `name` is in signs alone, the same in all languages: "32 / 16 threads", "a=4 / a=1".
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


@dataclass(frozen=True)
class Part:
    """A part of a hypothesis, judged at the places that are compared, the left one first."""

    where: tuple[Place, ...]
    outcome: Literal["supported", "refuted", "undecided"]
    figure: Figure | None
    blocks: int
    more_blocks: int | None
    explanation: str  # a sentence with the figures
    doubts: tuple[str, ...] = ()  # kinds of the warnings about what was judged
    too_many_blocks: bool = False  # repeating would hardly settle it
    runs: RunsAgree | None = None  # of a claim about every run
    nearest: Nearest | None = None  # where several things are asserted
    answers: tuple[str, ...] = ()  # of a claim that asks where: rungs or levels that are not ruled out
    says: NotBeyond | None = None  # the left side is not more, or not less, by more than the margin
    missed: float | None = None  # of a supported "~": a kind of start that no block had, as a share at most

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
    explanation: str
    parts: tuple[Part, ...]
    more_blocks: int | None = None  # when undecided: as many as the part needs that needs most
    too_many_blocks: bool = False  # repeating would hardly settle some part
    ladders: tuple[WholeLadder, ...] = ()  # beside the parts: it decides nothing
    named: Literal["unknown", "before", "after"] = "unknown"  # the first block, on the terms of now
    named_after: int | None = None  # blocks that were seen by then

    @property
    def says(self) -> NotBeyond | None:
        """What the outcome says where the formula reads like more; None where it reads as it is, or says
        several things.
        """
        return said_by([part for part in self.parts if part.outcome == self.outcome])

    @property
    def may_be_chance(self) -> bool:
        """Whether it rests on an interval, which is wrong now and then; a count of runs is what it is."""
        return any(part.runs is None for part in self.parts)

    @property
    def doubts(self) -> tuple[str, ...]:
        """Kinds of the warnings about any part."""
        return tuple(dict.fromkeys(kind for part in self.parts for kind in part.doubts))


Severity = Literal["note", "warning", "invalid"]


@dataclass(frozen=True)
class DoubtNote:
    """A doubt: its kind, its sentence, and the run and load that it is about.

    `message` is a sentence in English. `facts` are the figures in it by name, for sentences of other
    languages; a doubt found while measuring has its `value` and `limit`. A count stays a whole number where
    results are kept.
    """

    kind: str
    message: str
    run_id: str | None
    load: float | None
    severity: Severity
    facts: Mapping[str, str | int | float] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class WorkloadPart:
    """The treatments with one of a study's workloads, and their names among them."""

    workload: str
    names: Mapping[str, str]


@dataclass(frozen=True)
class LooksTaken:
    """The number of looks at a study's verdicts, each of which is a chance to be wrong."""

    schedule: tuple[int, ...]  # planned numbers of blocks; none: nothing was planned
    seen: tuple[int, ...]  # numbers of blocks at which verdicts were given
    confidence: float  # what the study asked for: of all planned looks together
    error: float  # the most that the chance of an interval that misses can be
    due: bool  # whether verdicts may be given at the blocks that are there
    ended: str | None = None  # why no further look is due


@dataclass(frozen=True)
class NamedTerms:
    """What became of that which a study named: claims that it has no longer, and terms that it has changed,
    each with its old and new value; `removed` runs had ended and are in the folder no more.
    """

    dropped: tuple[str, ...] = ()
    changed: tuple[tuple[str, str, str], ...] = ()
    removed: int = 0


@dataclass(frozen=True)
class Results:
    """Everything that a report says, before it is drawn."""

    study: str
    treatments: tuple[str, ...]  # in the study's order; the first is the baseline
    loads: tuple[float, ...]
    load_kind: LoadKind
    estimates: tuple[Estimate, ...]
    comparisons: tuple[Comparison, ...]
    hypotheses: tuple[HypothesisVerdict, ...]
    doubts: tuple[DoubtNote, ...]
    blocks_planned: int
    blocks_complete: int
    gate: Gate  # what a verdict needed
    runs_failed: tuple[tuple[str, str], ...]  # (run_id, reason)
    headlines: tuple[str, ...] = SERVER.headlines  # measures that are always compared
    named: NamedTerms | None = None  # None: nobody knows what was named before the first block
    looks: LooksTaken | None = None  # None: no verdict has been given
    workloads: tuple[WorkloadPart, ...] = ()  # where the study varies the workload
    copies: tuple[CopySpread, ...] = ()  # where all treatments are equal
    by_host: tuple[HostAgreement, ...] = ()  # where several hosts of a fleet carried blocks out
    screening: Screening | None = None  # where levels of factors are compared, instead of treatments
    of_settings: tuple[Comparison, ...] = ()  # of server variables, on servers other than the baseline's
    profile: str | None = None  # of the study's file; None: its own values
    profile_about: Mapping[str, str] = field(default_factory=dict)  # language -> what the profile changes

    @property
    def false_alarms(self) -> tuple[Comparison, ...]:
        """Comparisons that call one copy better or worse than another, although copies are equal."""
        return tuple(one for one in self.comparisons if self.copies and one.word in ("better", "worse"))

    def part(self, workload: WorkloadPart) -> Results:
        """Returns one workload's results, with treatments by their names there; the first is its baseline."""
        names = workload.names
        return replace(
            self,
            treatments=tuple(names[one] for one in self.treatments if one in names),
            estimates=tuple(
                replace(one, treatment=names[one.treatment])
                for one in self.estimates
                if one.treatment in names
            ),
            comparisons=tuple(
                replace(one, baseline=names[one.baseline], other=names[one.other])
                for one in self.comparisons
                if one.baseline in names and one.other in names
            ),
            by_host=tuple(
                replace(one, baseline=names[one.baseline], other=names[one.other])
                for one in self.by_host
                if one.baseline in names and one.other in names
            ),
            workloads=(),
        )
