"""Compares two places paired by block, as every claim about two treatments does."""

from __future__ import annotations

import numpy as np

from assay.base.wording import counted
from assay.design.study import Term
from assay.results.stats import PairedRatio, paired_ratio
from assay.results.verdict import wording
from assay.results.verdict.answers import Figure
from assay.results.verdict.claims.bindings import Cell
from assay.results.verdict.claims.finding import Finding, JudgingContext
from assay.results.verdict.compared import Place
from assay.results.verdict.decision import Edges, Not
from assay.results.verdict.observations import Floats
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
            said = f"{said}: negative values have no ratio, and it cannot be judged."
            return Finding((one, other), said, first.size)
        return Finding(
            (one, other), said, first.size, question=question, asserts=asserts, approaching=len(unlike)
        )
    found = paired_ratio(second, first, judging.confidence)
    return Finding(
        where=(one, other),
        said=_times(measures, one, other, found, judging.confidence)
        if judging.unit(left) == judging.unit(right)
        else _made_of_two(measures, one, found, judging.confidence),
        blocks=found.n,
        figure=Figure("ratio", found.ratio, found.low, found.high),
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


def _times(measures: tuple[str, str], one: Place, other: Place, found: PairedRatio, confidence: float) -> str:
    """Returns the sentence "tps of A is 1.420 times that of B at 8 threads (95 % interval 1.350 to 1.490, 6
    blocks)".

    For two measures it is "degraded_per_s of A is 0.570 times healthy_per_s of A at 8 threads".
    """
    left, right = wording.both(one, other)
    measure, others = measures[0], "that" if measures[0] == measures[1] else measures[1]
    if right != other.at or others != "that":
        right = f"of {right}"
    times, spread = wording.figure(found.ratio), wording.spread(found, confidence)
    return f"{measure} of {left} is {times} times {others} {right}{spread}"


def _made_of_two(measures: tuple[str, str], one: Place, found: PairedRatio, confidence: float) -> str:
    """Returns the sentence about a ratio of two measures with units of their own: "tps / cpu_busy_pct of A
    at 8 threads is 12.30".
    """
    value = wording.figure(found.ratio)
    return f"{' / '.join(measures)} of {one} is {value}{wording.spread(found, confidence)}"


def _two_levels(
    measures: tuple[str, str], units: tuple[str, str], one: Place, other: Place, left: Floats, right: Floats
) -> str:
    """Returns the sentence about two levels that have no ratio, because some values are zero or negative."""
    first, second = wording.both(one, other)
    others = "" if measures[0] == measures[1] else f"{measures[1]} is "
    here, there = (
        f"{wording.figure(float(of.mean()))}{wording.unit(unit)}"
        for of, unit in zip((left, right), units, strict=True)
    )
    return (
        f"{measures[0]} is {here} with {first} and {others}{there} with {second}"
        f" (mean of {counted(left.size, 'block')}; some values are zero or negative, so there is no ratio)"
    )
