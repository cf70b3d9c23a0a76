"""What was found of a claim at one place, before it is known what its other parts say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assay.study import LoadKind
from assay.verdict.decision import Contrast, Outcome
from assay.verdict.observations import Observations, Place
from assay.verdict.question import Question
from assay.verdict.results import RunsAgree
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

    def at(self, treatment: Treatment, load: float) -> Place:
        return Place(treatment.name, load, self.load_kind)


@dataclass(frozen=True)
class Finding:
    """Figures of one part in words, and either contrasts to be judged, or an outcome that is plain to see.

    `ratio` is left / right of the claim, or the level in its own unit; None where there is neither.
    """

    places: tuple[Place, ...]
    said: str
    blocks: int = 0
    ratio: float | None = None
    low: float | None = None
    high: float | None = None
    question: Question | None = None
    contrasts: tuple[Contrast, ...] = ()
    plain: Outcome | None = None
    runs: RunsAgree | None = None
    doubts: tuple[str, ...] = ()  # beside the warnings about what was measured

    @property
    def load(self) -> float:
        return self.places[0].load
