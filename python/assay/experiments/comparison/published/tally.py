"""Tallies the verdicts on published claims over results folders, by report and by kind of claim."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from assay.base.errors import AssayError
from assay.design.folder import ResultsFolder, read_entry
from assay.design.study import load_measured
from assay.experiments.comparison.published.library import PublishedClaim, published_claims, published_reports
from assay.experiments.comparison.published.studies import claim_of, claims_in, studies_of
from assay.experiments.lab import judged, results_below, results_folder, standing
from assay.reporting.report import explained, load_words

Outcome = Literal["supported", "refuted", "refuted-here", "undecided", "not-testable", "not-run"]
"""The outcome of a published claim. `refuted-here`: it names a figure of another machine, which this one does
not reach. `not-run`: there are no results yet.
"""
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


@dataclass(frozen=True)
class FoundVerdict:
    """The verdict on one hypothesis in one results folder. `assumes`: which level here stands for which
    published one.
    """

    claim: str
    study: str
    folder: str
    outcome: Literal["supported", "refuted", "undecided"]
    explanation: str
    assumes: str | None
    begun_ns: int
    confidence: float | None = None  # of a verdict that rests on an interval


@dataclass(frozen=True)
class ClaimState:
    """The outcome of a published claim, with its verdicts.

    `reason`: by language, why it is not testable here. `missing`: names of studies that test it and have no
    verdict yet.
    """

    claim: PublishedClaim
    outcome: Outcome
    verdicts: tuple[FoundVerdict, ...] = ()
    reason: Mapping[str, str] | None = None
    missing: tuple[str, ...] = ()


@dataclass(frozen=True)
class Tally:
    """Every published claim with its state, and a sentence for each folder that could not be read."""

    states: tuple[ClaimState, ...]
    unread: tuple[str, ...]

    def counts(self, report: str | None = None, kind: str | None = None) -> dict[Outcome, int]:
        """Returns how many claims have each outcome: of a report, of a kind, or of all."""
        found = dict.fromkeys(OUTCOMES, 0)
        for state in self.states:
            if report in (None, state.claim.report) and kind in (None, state.claim.kind):
                found[state.outcome] += 1
        return found

    @property
    def rows(self) -> list[tuple[str, str, dict[Outcome, int]]]:
        """Returns report, kind and counts of each kind of claim in each report, in the order of the
        claims.
        """
        pairs = dict.fromkeys((state.claim.report, state.claim.kind) for state in self.states)
        return [(report, kind, self.counts(report, kind)) for report, kind in pairs]


def tally(
    roots: Sequence[Path],
    reading: Callable[[Path], None] = lambda _: None,
    studies: Path | None = None,
) -> Tally:
    """Returns the claims with the verdicts of every results folder at and below `roots`.

    A hypothesis tests the claim whose id it has. Of results of one study the newest count. `reading` is
    called with each folder before it is judged. A folder that cannot be read is named in `unread`.
    """
    found: list[FoundVerdict] = []
    unread: list[str] = []
    for path in dict.fromkeys(folder for root in roots for folder in results_below(root)):
        try:
            found += _verdicts(path, reading)
        except AssayError as error:
            unread.append(f"{path}: {error.message}")
    tests: dict[str, list[str]] = {}
    for report in published_reports():
        for study in studies_of(report.id, studies):
            for claim in study.claims:
                tests.setdefault(claim, []).append(study.name)
    states = [
        state_of(claim, [one for one in found if one.claim == id], tests.get(id, ()))
        for id, claim in published_claims().items()
    ]
    return Tally(tuple(states), tuple(unread))


def state_of(
    claim: PublishedClaim, verdicts: Sequence[FoundVerdict], studies: Sequence[str] = ()
) -> ClaimState:
    """Returns the state of one claim, from the verdicts of several studies.

    All parts must hold: one that is refuted refutes it, and it is supported once every one of `studies` has
    supported it.
    """
    newest = {one.study: one.begun_ns for one in sorted(verdicts, key=lambda one: one.begun_ns)}
    counting = tuple(one for one in verdicts if one.begun_ns == newest[one.study])
    missing = tuple(name for name in studies if name not in newest)
    outcomes = {one.outcome for one in counting}
    if not counting:
        reason = claim.not_testable
        return ClaimState(claim, "not-run" if reason is None else "not-testable", (), reason, missing)
    outcome: Outcome = "undecided"
    if "refuted" in outcomes:
        outcome = "refuted-here" if claim.is_absolute else "refuted"
    elif outcomes == {"supported"} and not missing:
        outcome = "supported"
    return ClaimState(claim, outcome, counting, None, missing)


def _verdicts(path: Path, reading: Callable[[Path], None]) -> list[FoundVerdict]:
    """Returns the verdicts on published claims in one results folder; empty when it tests none of them."""
    folder = results_folder(path)
    study = load_measured(folder.study_file)
    if not claims_in(one.id for one in study.hypotheses) or not _has_runs(folder):
        return []
    reading(path)
    begun_ns = read_entry(folder).created_wall_ns
    with judged(folder) as found:
        return [
            FoundVerdict(
                claim=claim,
                study=study.name,
                folder=str(path),
                outcome=verdict.outcome,
                explanation=explained(load_words("en"), verdict.explanation),
                assumes=one.assumes,
                begun_ns=begun_ns,
                confidence=found.results.gate.confidence if verdict.may_be_chance else None,
            )
            for one, verdict in zip(found.study.hypotheses, found.results.hypotheses, strict=True)
            if (claim := claim_of(one.id)) is not None
        ]


def _has_runs(folder: ResultsFolder) -> bool:
    return standing(folder).complete > 0
