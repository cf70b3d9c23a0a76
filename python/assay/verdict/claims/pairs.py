"""Claims that hold two places against each other, paired by block."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from assay.stats.paired import paired_ratio
from assay.study import Term
from assay.verdict import wording
from assay.verdict.claims.finding import Finding, Judging
from assay.verdict.observations import Place
from assay.verdict.question import Question
from assay.verdict.treatments import matched_pairs


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
        unit = judging.seen.units[measures[0]]
        said = wording.two_levels(
            measures, unit, one, other, float(left.mean()), float(right.mean()), left.size
        )
        if not question.of_treatments and min(left.min(), right.min()) < 0:
            said = f"{said}: negative values have no ratio, and nothing stands for it."
            return Finding((one, other), said, left.size)
        contrasts = question.of_differences(left, right)
        return Finding((one, other), said, left.size, question=question, contrasts=contrasts)
    found = paired_ratio(right, left, judging.confidence)
    return Finding(
        places=(one, other),
        said=wording.ratio(measures, one, other, found, judging.confidence),
        blocks=found.n,
        ratio=found.ratio,
        low=found.low,
        high=found.high,
        question=question,
        contrasts=question.of_logs(np.log(left) - np.log(right)),
    )
