"""Two places held against each other, paired by block: what every claim about two treatments looks at."""

from __future__ import annotations

from collections.abc import Iterator

from assay.stats import PairedRatio, paired_ratio
from assay.study import Term
from assay.verdict import wording
from assay.verdict.claims.finding import Finding, Judging
from assay.verdict.decision import Edges
from assay.verdict.observations import Floats
from assay.verdict.question import Question
from assay.verdict.results import Figure, Place
from assay.verdict.treatments import matched_pairs
from assay.wording import counted


def pairs(left: Term, right: Term, question: Question, judging: Judging) -> Iterator[Finding]:
    """One for every two treatments that are alike in what the claim does not name, at every load."""
    # Both sides name a load or neither does: the study's reader sees to that.
    own = left.selector.load
    loads = [(load, load) for load in judging.loads] if own is None else [(own, right.selector.load or own)]
    for first, second in matched_pairs(judging.treatments, left.selector, right.selector):
        for one, other in loads:
            if left.measure == right.measure and first.name == second.name and one == other:
                continue  # selectors that overlap: nothing is compared with itself
            places = judging.at(first, one), judging.at(second, other)
            yield _pair((left.measure, right.measure), *places, question, judging)


def _pair(
    measures: tuple[str, str], one: Place, other: Place, question: Question, judging: Judging
) -> Finding:
    left, right = judging.seen.paired(measures[0], one, other, measures[1])
    if not left.size:
        return Finding((one, other), wording.not_measured(measures, one, other))
    if (left <= 0).any() or (right <= 0).any():
        said = _two_levels(measures, judging.seen.units[measures[0]], one, other, left, right)
        if not question.of_treatments and min(left.min(), right.min()) < 0:
            said = f"{said}: negative values have no ratio, and nothing stands for it."
            return Finding((one, other), said, left.size)
        return Finding(
            (one, other), said, left.size, question=question, asserts=Edges(question.of_pairs(left, right))
        )
    found = paired_ratio(right, left, judging.confidence)
    return Finding(
        where=(one, other),
        said=_times(measures, one, other, found, judging.confidence),
        blocks=found.n,
        figure=Figure("ratio", found.ratio, found.low, found.high),
        question=question,
        asserts=Edges(question.of_pairs(left, right)),
    )


def _times(measures: tuple[str, str], one: Place, other: Place, found: PairedRatio, confidence: float) -> str:
    """ "tps of A is 1.420 times that of B at 8 threads (95 % interval 1.350 to 1.490, 6 blocks)".

    "degraded_per_s of A is 0.570 times healthy_per_s of A at 8 threads" where the measures are two.
    """
    left, right = wording.both(one, other)
    measure, others = measures[0], "that" if measures[0] == measures[1] else measures[1]
    if right != other.at or others != "that":
        right = f"of {right}"
    times, spread = wording.figure(found.ratio), wording.spread(found, confidence)
    return f"{measure} of {left} is {times} times {others} {right}{spread}"


def _two_levels(
    measures: tuple[str, str], unit: str, one: Place, other: Place, left: Floats, right: Floats
) -> str:
    """For values with zeros among them, which have no ratio."""
    first, second = wording.both(one, other)
    others = "" if measures[0] == measures[1] else f"{measures[1]} is "
    here, there = (f"{wording.figure(float(of.mean()))}{wording.unit(unit)}" for of in (left, right))
    return (
        f"{measures[0]} is {here} with {first} and {others}{there} with {second}"
        f" (mean of {counted(left.size, 'block')}; some values are zero or negative, so there is no ratio)"
    )
