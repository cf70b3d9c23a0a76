"""Finds the build that brought a change, by paired studies of the good build with builds between."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from assay.base.errors import AssayError, ConflictError, InputError, Interrupted
from assay.design.study import study_hash
from assay.experiments.history.made_of import made_of
from assay.experiments.history.paired_study import Question, Template
from assay.experiments.history.search import Answer, error_of, first_bad
from assay.experiments.history.steps import Search, Step, begun, keep
from assay.experiments.history.versions import build_of
from assay.experiments.lab import Limits, OpenedStudy, folder_of, judged, until_decided
from assay.measurement.run import RunProgress
from assay.reporting.report import explained, load_words
from assay.results.stats import fewest_blocks
from assay.results.verdict import HypothesisVerdict, higher_is_better

_LARGEST_MARGIN = 0.99


@dataclass(frozen=True)
class Bisected:
    """The end of a search. `is_found`: `good` and `bad` are neighbours; otherwise the builds between are
    undecided.
    """

    good: str
    bad: str
    is_found: bool
    search: Search
    made_of: tuple[str, ...]  # what the differences of both to the good end are made of, in English
    confidence: float  # of each step's intervals, before they were widened for several looks


def bisect(
    source: Template,
    versions: Sequence[str],
    folder: Path,
    progress: RunProgress,
    *,
    measure: str | None = None,
    at: float | None = None,
    least: float = 0.02,
    most: int = 40,
) -> Bisected:
    """Searches `versions`, from a good build to a bad one, for the first bad one.

    First the ends: the bad one must be worse than the good one by more than `least`. Each step then compares
    a build with the good one, and asks whether it lost more than half of that difference, on a logarithmic
    scale. Steps are kept in `folder`, and a repeated call continues there. A build that cannot be run, or is
    undecided after `most` blocks, is skipped.

    Raises InputError where the ends do not differ, ConflictError where `folder` holds another search, and the
    errors of `until_decided` for the ends. Must be called in the main thread.
    """
    if len(dict.fromkeys(versions)) < max(2, len(versions)):
        raise InputError(f"{', '.join(versions)}: give a good build, a bad one, and each in between once")
    error = 1 - source.study.verdict.confidence
    confidence, last = (1 - error_of(number, len(versions), error) for number in (1, len(versions)))
    wanted = Search(
        study=study_hash(source.study),
        measure=source.measure(measure),
        load=source.load(at),
        least=least,
        most=max(most, fewest_blocks(last)),
        versions=tuple(versions),
    )
    with begun(folder, wanted) as search:
        judge = _Judge(source, search, folder, progress, error)
        bracket = first_bad(len(versions), judge.ask) if judge.ends_differ() else None
    if bracket is None:
        raise InputError(
            f"{versions[-1]} is not certainly worse than {versions[0]} by more than {least * 100:g} %:"
            f" {said(judge.search.steps[0], wanted)}",
            hint="try another --measure, or --at another load point; where the interval is wide, more blocks"
            " with --most, and --results for another folder",
        )
    good, bad = versions[bracket.good], versions[bracket.bad]
    neighbours = (judge.search.answered(use) for use in (good, bad))
    ledgers = tuple(step.made_of for step in neighbours if step is not None and step.made_of)
    return Bisected(good, bad, bracket.is_closed, judge.search, ledgers, confidence)


def said(step: Step, search: Search) -> str:
    """Returns a step in a line: `mariadb@11.4.5 0.912 [0.901, 0.923] of mariadb@10.11 in 8 blocks: bad`."""
    if step.ratio is None:
        return f"{step.use}: {step.why}"
    edges = "" if step.low is None else f" [{step.low:.3f}, {step.high:.3f}]"
    word = step.why or step.answer
    return f"{step.use} has {step.ratio:.3f}{edges} x the {search.measure} of {search.versions[0]}: {word}"


class _Judge:
    """Decides whether a build is good or bad, by studies and by the recorded steps."""

    def __init__(
        self, source: Template, search: Search, folder: Path, progress: RunProgress, error: float
    ) -> None:
        self.search = search
        self._source, self._folder, self._progress = source, folder, progress
        self._error = error

    def ends_differ(self) -> bool:
        """Returns whether the bad end is certainly worse than the good one, by more than the least change
        that counts.
        """
        return self._step(len(self.search.versions) - 1, self.search.least).answer == "bad"

    def ask(self, place: int) -> Answer:
        """Returns whether the build at this place has lost more than half of what the bad end has lost."""
        try:
            return self._step(place, self._half_way()).answer
        except (ConflictError, Interrupted):
            raise
        except AssayError as error:  # it cannot be had or run here; the next call tries it again
            self._progress.note(f"{self.search.versions[place]} is skipped: {error.message}")
            return "unknown"

    def _half_way(self) -> float:
        ratio = self.search.steps[0].ratio
        assert ratio is not None  # the ends differ
        return min(math.sqrt(max(ratio, 1 / ratio)) - 1, _LARGEST_MARGIN)

    def _step(self, place: int, margin: float) -> Step:
        use = self.search.versions[place]
        step = self.search.answered(use)
        if step is None:
            step = self._measured(place, use, margin)
            self.search = self.search.with_step(step)
            keep(self._folder, self.search)
        self._progress.note(said(step, self.search))
        return step

    def _measured(self, place: int, use: str, margin: float) -> Step:
        good, search = self.search.versions[0], self.search
        for one in (good, use):
            build_of(one, self._progress)
        # Skipped builds were looked at too; one that could not be run was not.
        confidence = 1 - error_of(len(search.steps) + 1, len(search.versions), self._error)
        question = Question(good, use, search.measure, search.load, margin, confidence)
        name = name_of(place, use)

        def opened_with(blocks: int) -> OpenedStudy:
            return self._source.asking(question, name, blocks)

        results = folder_of(opened_with(1).study, self._folder / name)
        outcome = until_decided(opened_with, results, self._progress, Limits(search.most))
        if outcome.failed:
            run, reason = outcome.failed[0]
            raise AssayError(f"{run} failed: {reason}")
        with judged(results, opened_with(search.most).study) as found:
            step = _read(found.results.hypotheses[0], question, use, name)
            return msgspec.structs.replace(step, made_of=made_of(found.results))


def name_of(place: int, use: str) -> str:
    """Returns the name of a step's study and folder: `step-02-mariadb-11-4-5`."""
    return f"step-{place:02d}-{re.sub(r'[^a-z0-9]+', '-', use.lower())[-40:].strip('-')}"


def _read(verdict: HypothesisVerdict, question: Question, use: str, results: str) -> Step:
    """Returns the step of a verdict, with the ratio of this build to the good one."""
    part = verdict.parts[0]
    answers: dict[str, Answer] = {"supported": "bad", "refuted": "good", "undecided": "unknown"}
    answer = answers[verdict.outcome]
    why = f"undecided after {part.blocks} blocks" if answer == "unknown" else ""
    if part.figure is None:
        return Step(
            use=use, answer="unknown", results=results, why=explained(load_words("en"), part.explanation)
        )
    ratio, low, high = part.figure.value, part.figure.low, part.figure.high
    if higher_is_better(question.measure):
        ratio, low, high = 1 / ratio, 1 / high if high else None, 1 / low if low else None
    return Step(
        use=use, answer=answer, ratio=ratio, low=low, high=high, blocks=part.blocks, results=results, why=why
    )
