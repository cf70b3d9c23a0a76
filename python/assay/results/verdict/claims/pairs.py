"""Compares two places paired by block, as every claim about two treatments does."""

from __future__ import annotations

import numpy as np

from assay.design.study import Term
from assay.results.stats import paired_ratio
from assay.results.verdict import wording
from assay.results.verdict.answers import Figure
from assay.results.verdict.claims.bindings import Cell
from assay.results.verdict.claims.finding import Finding, JudgingContext
from assay.results.verdict.compared import Place
from assay.results.verdict.decision import Edges, Not
from assay.results.verdict.observations import Floats
from assay.results.verdict.phrases import Amount, Phrase, phrase
from assay.results.verdict.question import Question


def named(term: Term) -> str:
    """Returns a term's measure, with its summary and its part of the window where it has one: "tps(cv,
    10s)".
    """
    return f"{term.measure}{term.summary or ''}{f' {term.window}' if term.window else ''}"


def stands_for_itself(left: Term, right: Term, cell: Cell) -> bool:
    """Returns whether both sides select the same thing, which is not compared with itself."""
    same = (left.measure, left.summary, left.window) == (right.measure, right.summary, right.window)
    return same and cell.places[left] == cell.places[right]


def pair(
    left: Term, right: Term, cell: Cell, opposite: bool, question: Question, judging: JudgingContext
) -> Finding:
    """Returns the finding about two terms at their places, over the blocks that have both; with `opposite`,
    the question must not hold.
    """
    measures, one, other = (named(left), named(right)), cell.places[left], cell.places[right]
    here, there = cell.blocks(left, judging), cell.blocks(right, judging)
    unlike = judging.unlike((one, other))
    common = sorted((here.keys() & there.keys()) - unlike)
    if not common:
        return Finding((one, other), wording.not_measured(measures, one, other), approaching=len(unlike))
    first, second = (np.array([of[block] for block in common]) for of in (here, there))
    edges = Edges(question.of_pairs(first, second))
    asserts = Not(edges) if opposite else edges
    if (first <= 0).any() or (second <= 0).any():
        units = (judging.unit(left), judging.unit(right))
        said = _two_levels(measures, units, one, other, first, second)
        if not question.of_treatments and min(first.min(), second.min()) < 0:
            return Finding((one, other), (said, phrase("negative")), first.size)
        return Finding(
            (one, other), (said,), first.size, question=question, asserts=asserts, approaching=len(unlike)
        )
    found = paired_ratio(second, first, judging.confidence)
    figure = Figure("ratio", found.ratio, found.low, found.high)
    times = wording.amount(figure, judging.confidence, found.n, wording.edges_of(question))
    return Finding(
        where=(one, other),
        said=(_times(measures, one, other, times, is_one_unit=judging.unit(left) == judging.unit(right)),),
        blocks=found.n,
        figure=figure,
        question=question,
        asserts=asserts,
        ratios=(_in_signs(measures, one, other), dict(zip(common, (first / second).tolist(), strict=True))),
        approaching=len(unlike),
    )


def _in_signs(measures: tuple[str, str], one: Place, other: Place) -> str:
    """Returns the name of a comparison in signs: "tps a=4 / a=1", or "degraded_per_s / healthy_per_s" for one
    treatment.
    """
    if one.treatment == other.treatment:
        return " / ".join(measures)
    return f"{measures[0]} {one.treatment} / {other.treatment}"


def _times(
    measures: tuple[str, str], one: Place, other: Place, times: Amount, *, is_one_unit: bool
) -> Phrase:
    """Returns the words "tps of A is 1.42 times that of B at 8 threads (95 % interval 1.35 to 1.49, 6
    blocks)".

    For two measures it is "degraded_per_s of A is 0.57 times healthy_per_s of A at 8 threads"; where their
    units differ, "tps / cpu_busy_pct of A at 8 threads is 12.3".
    """
    if not is_one_unit:
        return phrase("of-two-units", measures=" / ".join(measures), at=one, ratio=times)
    key = "at-load" if one.load == other.load else "apart"
    if measures[0] != measures[1]:
        key = f"two-{key}"
    elif key == "apart" and one.treatment == other.treatment:
        key = "of-one"
    return phrase(
        f"times-{key}", measure=measures[0], other_measure=measures[1], left=one, right=other, times=times
    )


def _two_levels(
    measures: tuple[str, str], units: tuple[str, str], one: Place, other: Place, left: Floats, right: Floats
) -> Phrase:
    """Returns the words about two levels that have no ratio, because some values are zero or negative."""
    here, there = (Amount(float(of.mean()), unit) for of, unit in zip((left, right), units, strict=True))
    return phrase(
        "levels" if measures[0] == measures[1] else "levels-of-two",
        measure=measures[0],
        other_measure=measures[1],
        left=one,
        right=other,
        here=here,
        there=there,
        blocks=int(left.size),
    )
