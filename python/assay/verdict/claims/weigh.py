"""Findings of one claim -> its parts: what each decides beside the others, and what would settle the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assay.stats.region import fewest_blocks
from assay.verdict import summing_up, wording
from assay.verdict.claims.finding import Finding
from assay.verdict.decision import Outcome, all_of, corrected, refuted_together
from assay.verdict.observations import Observations
from assay.verdict.results import Part


@dataclass(frozen=True)
class Weighed:
    """A part, and its sentence without what would settle it: a claim says that once, of all its parts."""

    part: Part
    sentence: str


def weigh(found: Sequence[Finding], seen: Observations, confidence: float) -> tuple[Weighed, ...]:
    """Support at the full level, refutation corrected for the number of parts that can refute."""
    fewest = fewest_blocks(confidence)
    judged = [one for one in found if one.contrasts and one.blocks >= fewest and not seen.barred]
    fallen = refuted_together(
        [lambda level, one=one: all_of(one.contrasts, level) for one in judged],  # type: ignore[misc]
        confidence,
    )
    refuted = {id(judged[number]) for number in fallen}
    return tuple(_weighed(one, seen, confidence, fewest, len(judged), id(one) in refuted) for one in found)


def _weighed(
    one: Finding, seen: Observations, confidence: float, fewest: int, parts: int, refuted: bool
) -> Weighed:
    outcome, why, more, too_many = _decided(one, confidence, fewest, parts, refuted)
    count, kinds = seen.missing(*one.where)
    said = f"{one.said}{why}" + (wording.left_out(count, kinds) if count else "")
    doubts = (*seen.warnings(*one.where), *one.doubts)
    if seen.barred:
        outcome, said, more, too_many = "undecided", f"{said}{wording.barred(seen.barred)}", None, False
        doubts = seen.barred
    needed = summing_up.more(more, too_many) if outcome == "undecided" else ""
    part = Part(
        where=one.where,
        outcome=outcome,
        figure=one.figure,
        blocks=one.blocks,
        more_blocks=more,
        explanation=f"{said}{needed}",
        doubts=doubts,
        too_many_blocks=too_many,
        runs=one.runs,
    )
    return Weighed(part, said)


def _decided(
    one: Finding, confidence: float, fewest: int, parts: int, refuted: bool
) -> tuple[Outcome, str, int | None, bool]:
    """Outcome, why, and how many more blocks: None where none can be said, or where they are too many."""
    if one.plain is not None:
        return one.plain, "", None, False
    if not one.contrasts:
        return "undecided", "", None, False
    if one.blocks < fewest:
        outcome: Outcome = "undecided"
        why = wording.too_few(one.blocks, fewest)
    else:
        outcome = all_of(one.contrasts, confidence)
        why = wording.because(outcome, one.question)
        if outcome == "refuted" and not refuted:
            outcome, why = "undecided", wording.one_of_many(one.question, parts)
    if outcome != "undecided":
        return outcome, why, None, False
    needed: list[int | None] = []
    for contrast in one.contrasts:
        level = corrected(confidence, max(parts, 1)) if contrast.against else confidence
        if one.blocks < fewest or contrast.decide(level) == "undecided":
            needed.append(contrast.blocks_to_go(level, fewest))
    known = [blocks for blocks in needed if blocks is not None]
    too_many = len(known) < len(needed)
    return outcome, why, None if too_many else max(known, default=None), too_many
