"""Judges claims by printed figures, which have no intervals: as printed, a claim holds or does not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log

from assay.design.study import Claim
from assay.results.verdict.claims import found
from assay.results.verdict.claims.finding import Finding, JudgingContext
from assay.results.verdict.compared import Place
from assay.results.verdict.decision import Edges, InShare, Some, Statement, asserted
from assay.results.verdict.observations import Observations
from assay.results.verdict.treatments import Treatment

PrintedFigures = Mapping[tuple[str, str, float], float]
"""The figure of a measure, a treatment and a load."""

_BLOCKS = (1, 2)
"""Every figure stands in two equal blocks: all intervals have no width, so that figures alone decide."""
_CONFIDENCE = 0.95


@dataclass(frozen=True)
class PrintedAnswer:
    """One comparison that a claim makes, and whether the printed figures agree with it.

    `short` is the share by which the figures fail the claim, negative where they hold with a lead; None for a
    claim that asks for a place. `name` says which cells of a row are compared; `answers` are the places that
    a claim about a place asks for.
    """

    where: tuple[Place, ...]
    holds: bool
    short: float | None = None
    name: str = ""
    answers: tuple[str, ...] = ()


def as_printed(
    claim: Claim,
    figures: PrintedFigures,
    treatments: Sequence[Treatment],
    loads: Sequence[float],
    margin: float,
) -> Iterator[PrintedAnswer]:
    """Yields the answer to every comparison that a claim makes and all of whose figures are printed.

    Figures must be positive. `margin` is how far apart two figures may be that are the same.
    """
    values = {key: dict.fromkeys(_BLOCKS, value) for key, value in figures.items()}
    units = dict.fromkeys((measure for measure, _, _ in figures), "1")
    judging = JudgingContext(Observations(values, units), treatments, loads, "threads", _CONFIDENCE, margin)
    for one in found(claim, judging):
        if one.plain in ("supported", "refuted"):
            yield PrintedAnswer(one.where, one.plain == "supported")
        for statement in () if one.asserts is None else asserted(one.asserts):
            if isinstance(statement, InShare):
                continue  # of how many runs a figure was printed is not known
            holds = statement.decide(_CONFIDENCE) == "supported"
            name = statement.nearest.name if isinstance(statement, Edges) and statement.nearest else ""
            yield PrintedAnswer(one.where, holds, _short(one, statement), name, one.answers)


def _short(one: Finding, statement: Statement) -> float | None:
    """Returns the share by which a statement fails: at its worst edge, or of several of which one is enough,
    by the best.
    """
    if isinstance(statement, Some):
        shares = [_short(one, each) for each in statement.of]
        return min((share for share in shares if share is not None), default=None)
    if not isinstance(statement, Edges):
        return None
    if one.figure is not None and one.figure.kind == "level" and statement.nearest is None:
        if one.question is None or not one.question.positive or one.figure.value <= 0:
            return None
        beyond = [(log(one.figure.value / edge), side) for edge, side in one.question.edges]
    else:
        beyond = [(float(each.values.mean()), each.side) for each in statement.contrasts]
    return max(1 - exp(by) if side.startswith(">") else exp(by) - 1 for by, side in beyond)
