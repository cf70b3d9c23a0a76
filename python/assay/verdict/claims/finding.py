"""What was found of a claim at one place, before it is known what its other parts say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from assay.study import LoadKind, Term
from assay.study.claims import Window
from assay.verdict.courses import Slice
from assay.verdict.decision import Outcome, Statement
from assay.verdict.observations import Blocks, Observations
from assay.verdict.question import Question
from assay.verdict.results import Figure, Place, RunsAgree
from assay.verdict.treatments import Treatment


@dataclass(frozen=True)
class Judging:
    """What every part is judged with."""

    seen: Observations
    treatments: Sequence[Treatment]
    loads: Sequence[float]
    load_kind: LoadKind
    confidence: float
    margin: float
    window: Window | None = None  # the part of the measured window that is spoken of

    def at(self, treatment: Treatment, load: float | None) -> Place:
        return Place(treatment.name, load, self.load_kind)

    def blocks(self, term: Term, place: Place, window: Window | Slice | None = None) -> Blocks:
        """What a term is in every block at a place, over its part of the window."""
        window = window or self.window
        if window is None and term.summary is None:
            return self.seen.blocks(term.measure, place)
        return self.seen.within(term, place, window)

    @property
    def of_levels(self) -> Judging:
        """What levels and sameness are judged with: no window that was still approaching its level."""
        return replace(self, seen=self.seen.settled)

    def unlike(self, places: Sequence[Place]) -> frozenset[int]:
        """Blocks that say nothing of a ratio: some of its windows had reached their level, and others not."""
        return frozenset() if self.window else self.seen.unlike(*places)

    def selected(self, term: Term) -> Iterator[tuple[Place, Blocks]]:
        """Every place that the term speaks of, with what was measured there."""
        own = term.selector.load
        for treatment in self.treatments:
            if treatment.matches(term.selector):
                for load in self.loads if own is None else (own,):
                    place = self.at(treatment, load)
                    yield place, self.blocks(term, place)


@dataclass(frozen=True)
class Finding:
    """The answer at one place, in words; either a statement to be judged, or an outcome that is plain to see.

    `said` ends without a full stop where a statement is judged: why the figures give the outcome follows it.
    """

    where: tuple[Place, ...]  # what is held against each other, the left one first
    said: str
    blocks: int = 0
    figure: Figure | None = None
    asserts: Statement | None = None
    question: Question | None = None  # where it is one interval against the edges of one: said in its words
    plain: Outcome | None = None
    runs: RunsAgree | None = None
    answers: tuple[str, ...] = ()  # rungs or levels that are not ruled out
    ratios: tuple[str, Blocks] | None = None  # what is held against what, and left / right in every block
    approaching: int = 0  # values left out, since their windows had not reached their level
    doubts: tuple[str, ...] = ()  # beside the warnings about what was measured
