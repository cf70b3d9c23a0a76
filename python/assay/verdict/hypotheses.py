"""The verdict on each hypothesis: a part for every load point and pair of treatments, then the whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from assay.stats.intervals import geometric_interval, mean_interval
from assay.stats.paired import PairedRatio, paired_ratio
from assay.stats.region import Region, around, fewest_blocks
from assay.study import EqualClaim, Hypothesis, LevelClaim, LoadKind, OrderClaim, RatioClaim, Study, Term
from assay.verdict import wording
from assay.verdict.comparisons import blocks_to_go
from assay.verdict.decision import Outcome, Question, whole
from assay.verdict.observations import Observations, Place
from assay.verdict.results import HypothesisVerdict, Part
from assay.verdict.treatments import Treatment, matched_pairs

Floats = NDArray[np.float64]


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


def judge_hypotheses(
    study: Study, seen: Observations, treatments: Sequence[Treatment], loads: Sequence[float]
) -> Iterator[HypothesisVerdict]:
    """One verdict for each hypothesis of the study, in its order."""
    for hypothesis in study.hypotheses:
        margin = study.verdict.margin if hypothesis.margin is None else hypothesis.margin
        judging = Judging(
            seen, treatments, hypothesis.at or loads, study.load.kind, study.verdict.confidence, margin
        )
        parts = tuple(_parts(hypothesis, judging))
        outcome = whole([part.outcome for part in parts])
        yield HypothesisVerdict(
            claim=hypothesis.text,
            source=hypothesis.source,
            outcome=outcome,
            explanation=wording.summary(outcome, parts),
            parts=parts,
        )


def _parts(hypothesis: Hypothesis, judging: Judging) -> Iterator[Part]:
    claim, margin = hypothesis.claim, judging.margin
    match claim:
        case OrderClaim():
            yield from _pairs(claim.left, claim.right, Question(claim.relation, around(1.0, margin)), judging)
        case EqualClaim():
            yield from _pairs(claim.left, claim.right, Question("~", around(1.0, margin)), judging)
        case RatioClaim():
            question = _with_figure(claim, margin)
            yield from _pairs(claim.numerator, claim.denominator, question, judging)
        case LevelClaim():
            yield from _levels(claim.term, _with_figure(claim, margin), judging)


def _with_figure(claim: RatioClaim | LevelClaim, margin: float) -> Question:
    if claim.relation == "~":
        return Question("~", around(claim.value, margin))
    return Question(claim.relation, Region(claim.value, claim.value))


def _pairs(left: Term, right: Term, question: Question, judging: Judging) -> Iterator[Part]:
    # Both sides name a load or neither does: the study's reader sees to that.
    own = left.selector.load
    loads = [(load, load) for load in judging.loads] if own is None else [(own, right.selector.load or own)]
    for first, second in matched_pairs(judging.treatments, left.selector, right.selector):
        for one, other in loads:
            places = judging.at(first, one), judging.at(second, other)
            part = _pair((left.measure, right.measure), *places, question, judging)
            yield _doubted(part, judging.seen, *places)


def _pair(measures: tuple[str, str], one: Place, other: Place, question: Question, judging: Judging) -> Part:
    left, right = judging.seen.paired(measures[0], one, other, measures[1])
    if not left.size:
        return _nothing(one, wording.not_measured(measures, one, other))
    if (left <= 0).any() or (right <= 0).any():
        return _without_ratio(measures, one, other, left, right, question, judging)
    found = paired_ratio(right, left, judging.confidence)
    said = wording.ratio(measures, one, other, found, judging.confidence)
    return _decided(one.load, found, said, question, judging)


def _without_ratio(
    measures: tuple[str, str],
    one: Place,
    other: Place,
    left: Floats,
    right: Floats,
    question: Question,
    judging: Judging,
) -> Part:
    """Zeros have no ratio: "left / right > edge" is judged as "left - edge * right > 0"."""
    unit, fewest = judging.seen.units[measures[0]], fewest_blocks(judging.confidence)
    said = wording.two_levels(measures, unit, one, other, float(left.mean()), float(right.mean()), left.size)
    outcome: Outcome = "undecided"
    why = wording.too_few(left.size, fewest)
    if left.size >= fewest:
        outcome = question.decide_without_ratio(left, right, judging.confidence)
        why = wording.because(outcome, question)
    return Part(one.load, outcome, None, None, None, left.size, None, f"{said}{why}")


def _levels(term: Term, question: Question, judging: Judging) -> Iterator[Part]:
    own = term.selector.load
    for treatment in judging.treatments:
        if not treatment.matches(term.selector):
            continue
        for load in judging.loads if own is None else (own,):
            blocks = judging.seen.blocks(term.measure, treatment.name, load)
            where = judging.at(treatment, load)
            if not blocks:
                nothing = _nothing(where, wording.not_measured((term.measure,), where))
                yield _doubted(nothing, judging.seen, where)
                continue
            found = _level(np.array([blocks[block] for block in sorted(blocks)]), judging.confidence)
            unit = judging.seen.units[term.measure]
            said = wording.level(term.measure, unit, where, found, judging.confidence)
            yield _doubted(_decided(load, found, said, question, judging), judging.seen, where)


def _level(values: Floats, confidence: float) -> PairedRatio:
    """The level as a ratio to one of its own unit; no test against 1 is meant, so there is no p."""
    if (values <= 0).any():
        mean = mean_interval(values, confidence)
        return PairedRatio(mean.value, mean.low, mean.high, None, None, mean.n)
    found = geometric_interval(values, confidence)
    spread = float(np.log(values).std(ddof=1)) if values.size > 1 else None
    return PairedRatio(found.value, found.low, found.high, None, spread, found.n)


def _decided(load: float, found: PairedRatio, said: str, question: Question, judging: Judging) -> Part:
    fewest = fewest_blocks(judging.confidence)
    if found.n < fewest or found.low is None or found.high is None:
        outcome: Outcome = "undecided"
        why = wording.too_few(found.n, fewest)
    else:
        outcome = question.decide(found.low, found.high)
        why = wording.because(outcome, question)
    more = None
    if outcome == "undecided" and found.ratio > 0:
        more = blocks_to_go(found, question.edge, judging.confidence)
        why += wording.more(more)
    return Part(
        load=load,
        outcome=outcome,
        ratio=found.ratio,
        low=found.low,
        high=found.high,
        blocks=found.n,
        more_blocks=more,
        explanation=f"{said}{why}",
    )


def _doubted(part: Part, seen: Observations, *places: Place) -> Part:
    """The part with its treatments and what is doubted of its values.

    Warnings mark it, *invalid* ones took values away.
    """
    part = replace(part, treatments=tuple(dict.fromkeys(place.treatment for place in places)))
    count, kinds = seen.missing(*places)
    said = part.explanation + (wording.left_out(count, kinds) if count else "")
    if not seen.barred:
        return replace(part, explanation=said, doubts=seen.warnings(*places))
    said = f"{said}{wording.barred(seen.barred)}"
    return replace(part, outcome="undecided", explanation=said, more_blocks=None, doubts=seen.barred)


def _nothing(where: Place, said: str) -> Part:
    return Part(where.load, "undecided", None, None, None, 0, None, said)
