"""Frozen records that `verdict` computes and `report` shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from assay.design.study import SERVER, LoadKind
from assay.results.stats import Gate
from assay.results.verdict.agreement import CopySpread, HostAgreement
from assay.results.verdict.answers import HypothesisVerdict
from assay.results.verdict.compared import Comparison, Differing
from assay.results.verdict.effects import Screening
from assay.results.verdict.why.records import LedgerShift
from assay.results.verdict.why.unwatched import Unwatched


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


Severity = Literal["note", "warning", "invalid"]
GRAVEST_FIRST: tuple[Severity, ...] = ("invalid", "warning", "note")


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


ConsequenceWord = Literal["has-turned", "could-turn", "cannot-turn", "not-weighed"]
"""The word for what a kind of doubt can do to verdicts. `not-weighed`: there are no verdicts yet."""
TURNING_FIRST: tuple[ConsequenceWord, ...] = ("has-turned", "could-turn", "not-weighed", "cannot-turn")

Why = Literal[
    "no-claim", "elsewhere", "open", "counted", "rest-agrees", "rest-differs", "too-small", "large-enough",
    "unknown", "lifted",
]  # fmt: skip
"""The reason for a word. `no-claim`: the study claims nothing. `elsewhere`: no claim is about such a figure.
`open`: the claims that it is about are undecided with it and without it. `counted`: verdicts take it into
account as it is. `rest-agrees`, `rest-differs`: the blocks without the doubt say the same alone, or do not.
`too-small`, `large-enough`: all figures moved to the losing side by the size of the doubt. `unknown`: too few
blocks are without it, and nobody knows its size. `lifted`: without the doubt, a claim would be decided.
"""


@dataclass(frozen=True)
class TurnedClaim:
    """What a kind of doubt can do, or has done, to the verdict on a claim, by its number from 1."""

    claim: int
    word: Literal["has-turned", "could-turn"]
    why: Why


@dataclass(frozen=True)
class Consequence:
    """All doubts of one kind in one row, and what they can do to the verdicts.

    `worst` is the doubt with the largest figure; `runs` of all `complete` ones have the kind, at `loads` and
    in `treatments`; none of them where it is about the whole study. `turned` has the claims that it could
    turn or has turned, and `why` is the reason of the whole. `of_machine`: more than half of the runs have
    it, and the machine is its cause. `known`: a person accepts it for this machine.
    """

    kind: str
    severity: Severity
    word: ConsequenceWord
    why: Why
    turned: tuple[TurnedClaim, ...]
    count: int
    runs: int
    complete: int
    loads: tuple[float, ...]
    treatments: tuple[str, ...]
    worst: DoubtNote
    of_machine: bool = False
    known: bool = False

    @property
    def claims(self) -> tuple[int, ...]:
        """Numbers of the claims that it could turn, or has turned."""
        return tuple(one.claim for one in self.turned)

    @property
    def is_said(self) -> bool:
        """Whether it stands among the doubts: an accepted kind does where it could turn a claim."""
        return not self.known or bool(self.turned)


def by_severity(notes: Iterable[DoubtNote]) -> list[DoubtNote]:
    """Returns doubts with the most serious first, else in the order in which they came."""
    return sorted(notes, key=lambda note: GRAVEST_FIRST.index(note.severity))


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
    differing: tuple[Differing, ...] = ()  # each treatment beside its baseline; none of screens and copies
    ledgers: tuple[LedgerShift, ...] = ()  # each treatment's beside its baseline's, by load; none of screens
    unwatched: tuple[Unwatched, ...] = ()  # what sources of profile windows did not read
    watched_runs: int = 0  # runs with a profile window
    scale: str | None = None  # of the study's file; None: its own values
    scale_about: Mapping[str, str] = field(default_factory=dict)  # language -> what the scale changes
    consequences: tuple[Consequence, ...] = ()  # of the doubts, a row a kind

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
            differing=tuple(
                replace(one, baseline=names[one.baseline], other=names[one.other])
                for one in self.differing
                if one.baseline in names and one.other in names
            ),
            ledgers=tuple(
                replace(one, baseline=names[one.baseline], other=names[one.other])
                for one in self.ledgers
                if one.baseline in names and one.other in names
            ),
            workloads=(),
        )
