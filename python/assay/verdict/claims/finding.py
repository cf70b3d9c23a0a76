"""What was found of a claim at one place, before it is known what its other parts say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assay.study import LoadKind, Term
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

    def at(self, treatment: Treatment, load: float | None) -> Place:
        return Place(treatment.name, load, self.load_kind)

    def selected(self, term: Term) -> Iterator[tuple[Place, Blocks]]:
        """Every place that the term speaks of, with what was measured there."""
        own = term.selector.load
        for treatment in self.treatments:
            if treatment.matches(term.selector):
                for load in self.loads if own is None else (own,):
                    place = self.at(treatment, load)
                    yield place, self.seen.blocks(term.measure, place)


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
    doubts: tuple[str, ...] = ()  # beside the warnings about what was measured
