"""Types of findings: what was found of a claim at one place, before its other parts are judged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from assay.design.study import LoadKind, Term
from assay.design.study.claims import Window
from assay.results.stats import judged_wider, spread_of_runs
from assay.results.verdict.answers import Figure, RunsAgree
from assay.results.verdict.compared import Place
from assay.results.verdict.courses import Slice
from assay.results.verdict.decision import Outcome, Statement
from assay.results.verdict.observations import Blocks, Observations
from assay.results.verdict.phrases import Clauses, Explanation
from assay.results.verdict.question import Question
from assay.results.verdict.treatments import Treatment


@dataclass(frozen=True)
class JudgingContext:
    """The observations, treatments, loads and settings by which every part of a claim is judged."""

    seen: Observations
    treatments: Sequence[Treatment]
    loads: Sequence[float]
    load_kind: LoadKind
    confidence: float
    margin: float
    window: Window | None = None  # the part of the measured window that is spoken of
    levels: Sequence[Treatment] = ()  # of a screen: levels of factors over all treatments

    def at(self, treatment: Treatment, load: float | None) -> Place:
        return Place(treatment.name, load, self.load_kind)

    def blocks(self, term: Term, place: Place, window: Window | Slice | None = None) -> Blocks:
        """Returns a term's value in every block at a place, over its part of the window; of a spread over
        runs, what each block contributes to it.
        """
        window = window or term.window or self.window
        if term.summary is not None and term.summary.over_runs:
            by_block = replace(self, seen=self.seen.by_block)
            values = by_block.blocks(replace(term, summary=None), place, window)
            found = spread_of_runs([values[block] for block in sorted(values)], term.summary.relative)
            return {} if found is None else dict(zip(sorted(values), judged_wider(found), strict=True))
        if window is None and term.summary is None:
            return self.seen.blocks(term.measure, place)
        return self.seen.within(term, place, window)

    def unit(self, term: Term) -> str:
        """Returns the unit of a term: that of its measure, per cent for a coefficient of variation."""
        relative = term.summary is not None and term.summary.relative
        return term.unit if relative else self.seen.unit(term.measure)

    @property
    def of_levels(self) -> JudgingContext:
        """Returns this judging without windows that were still approaching their level, for claims about
        levels and sameness.
        """
        return replace(self, seen=self.seen.settled)

    def unlike(self, places: Sequence[Place]) -> frozenset[int]:
        """Returns the blocks that give no ratio, because some of their windows had reached their level and
        others had not.
        """
        return frozenset() if self.window else self.seen.unlike(*places)

    def selected(self, term: Term) -> Iterator[tuple[Place, Blocks]]:
        """Yields every place that the term selects, with the values measured there."""
        own = term.selector.load
        for treatment in self.treatments:
            if treatment.matches(term.selector):
                for load in self.loads if own is None else (own,):
                    place = self.at(treatment, load)
                    yield place, self.blocks(term, place)


@dataclass(frozen=True)
class Finding:
    """The answer to a claim at one place: a statement that remains to be judged, or an outcome that is
    certain.

    `said` has the clauses of the sentence, to which the reason for the outcome is added; `beside` are
    further sentences.
    """

    where: tuple[Place, ...]  # what is held against each other, the left one first
    said: Clauses
    blocks: int = 0
    figure: Figure | None = None
    asserts: Statement | None = None
    question: Question | None = None  # where it is one interval against the edges of one: said in its words
    compares: Question | None = None  # the same where it is several intervals
    plain: Outcome | None = None
    runs: RunsAgree | None = None
    answers: tuple[str, ...] = ()  # rungs or levels that are not ruled out
    ratios: tuple[str, Blocks] | None = None  # what is held against what, and left / right in every block
    approaching: int = 0  # values left out, since their windows had not reached their level
    doubts: tuple[str, ...] = ()  # beside the warnings about what was measured
    beside: Explanation = ()
