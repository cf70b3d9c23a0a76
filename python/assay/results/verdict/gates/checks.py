"""Types of a gate's outcome: one check for each gate and load point."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from assay.design.study import GateRule, LoadKind, Study
from assay.results.verdict.answers import Part
from assay.results.verdict.phrases import Explanation
from assay.results.verdict.why.records import LedgerShift

if TYPE_CHECKING:
    import duckdb

    from assay.results.verdict.gates.missing import Lack
    from assay.results.verdict.results import Results

Outcome = Literal["passed", "failed", "undecided", "unjudged"]
Weight = Literal["error", "warning", "note"]

#: The outcomes of a gate in the order in which they decide about the whole.
GRAVITY: tuple[Outcome, ...] = ("failed", "unjudged", "undecided", "passed")


@dataclass(frozen=True)
class Reach:
    """The smallest change whose direction such blocks find with probability 0.8, as a ratio: 1.021 is 2.1 %.

    `blocks`: by the noise of the blocks themselves. `copies`: by the noise of equal copies (`assay aa`). None
    where that is unknown.
    """

    blocks: float | None = None
    copies: float | None = None


@dataclass(frozen=True)
class Check:
    """One gate at one load point.

    `part` is the part of the claim that decides there, of `parts`; `why` a sentence in English for pipelines,
    `explanation` the same in no language, empty where `lacks` says what is missing. `first` is the check
    before, where a claim that failed was measured again in fresh blocks. `tolerance`: the change that the
    gate allows, as a ratio above 1; `needed`: how many blocks in all would show it, where these are too few;
    None where nobody knows. `ledgers` say of a check that failed what the difference is made of.
    """

    number: int  # of the gate, from 1
    rule: GateRule
    load: float | None  # None: over the whole ladder
    outcome: Outcome
    why: str = ""
    part: Part | None = None
    parts: int = 0
    reach: Reach = Reach()
    lacks: tuple[Lack, ...] = ()
    first: Check | None = None
    tolerance: float | None = None
    needed: int | None = None
    explanation: Explanation = ()
    ledgers: tuple[LedgerShift, ...] = ()

    @property
    def weight(self) -> Weight:
        """What the check does to the whole: an error decides the exit code, a warning is only shown."""
        if self.outcome == "passed":
            return "note"
        if self.outcome == "undecided" and self.rule.undecided != "fail":
            return "warning" if self.rule.undecided == "warn" else "note"
        return "error" if self.rule.severity == "fail" else "warning"

    @property
    def is_cleared(self) -> bool:
        """Whether the claim failed first, and was judged in fresh blocks without failing again."""
        return self.first is not None and self.outcome in ("passed", "undecided")

    @property
    def blocks(self) -> int:
        """Number of blocks that the deciding part rests on."""
        return 0 if self.part is None else self.part.blocks


@dataclass(frozen=True)
class Fresh:
    """The fresh blocks in which claims that failed were measured again, and the folder of their results."""

    blocks: int
    results: Path


@dataclass(frozen=True)
class Gated:
    """The outcome of all gates of a study.

    `alarms` is the number of gates that chance alone would fail at most, if nothing differed.
    """

    study: str
    title: Mapping[str, str]  # language -> title
    results: Path
    checks: tuple[Check, ...]
    gates: int
    loads: tuple[float, ...]
    load_kind: LoadKind
    blocks: int
    blocks_planned: int
    confidence: float
    alarms: float
    began_ns: int = 0  # the beginning of the first run, which tells results apart
    fresh: Fresh | None = None
    baseline: str | None = None  # the day of the baseline that stands for the base; None: both builds ran

    @property
    def counts(self) -> Mapping[Outcome, int]:
        """The number of checks by outcome, the gravest first; outcomes without a check are left out."""
        found = Counter(one.outcome for one in self.checks)
        return {outcome: found[outcome] for outcome in GRAVITY if found[outcome]}

    @property
    def outcome(self) -> Outcome:
        """The outcome of the whole: the gravest of the checks that are errors, otherwise passed."""
        errors = {one.outcome for one in self.checks if one.weight == "error"}
        return next((outcome for outcome in GRAVITY if outcome in errors), "passed")

    @property
    def remarkable(self) -> tuple[Check, ...]:
        """The checks that did not pass, the gravest first."""
        order = {"error": 0, "warning": 1, "note": 2}
        left = [one for one in self.checks if one.outcome != "passed"]
        return tuple(sorted(left, key=lambda one: (order[one.weight], GRAVITY.index(one.outcome))))

    @property
    def cleared(self) -> tuple[Check, ...]:
        """The checks that failed first, and were judged in fresh blocks without failing again."""
        return tuple(one for one in self.checks if one.is_cleared)


class JudgedResults(Protocol):
    """Results of a study with the store that they were judged from."""

    @property
    def study(self) -> Study:
        """The study that they were judged by."""

    @property
    def results(self) -> Results:
        """Its verdicts."""

    @property
    def store(self) -> duckdb.DuckDBPyConnection:
        """The tables of its runs."""
