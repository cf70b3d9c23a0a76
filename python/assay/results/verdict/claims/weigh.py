"""Turns a claim's findings into its parts: the outcome of each, and how many more blocks would decide the
rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from assay.results.stats import Gate, is_frail, most_of_all
from assay.results.verdict import summing_up, wording
from assay.results.verdict.answers import Nearest, NotBeyond, Part
from assay.results.verdict.claims.finding import Finding
from assay.results.verdict.decision import (
    OPPOSITE,
    InShare,
    Not,
    Outcome,
    Within,
    asserted,
    corrected,
    nearest,
    refuted_together,
    wary,
    withstands,
)
from assay.results.verdict.needed import UNKNOWN, Needed
from assay.results.verdict.observations import Observations
from assay.results.verdict.phrases import Clauses, Explanation, Phrase, phrase
from assay.results.verdict.ratio_course import doubts_of_ratio


@dataclass(frozen=True)
class JudgedPart:
    """A part of a claim with what is said of it, without the number of blocks needed, which the claim states
    once for all parts.
    """

    part: Part
    said: Explanation

    def with_clause(self, why: Phrase) -> Explanation:
        """Returns what is said, with one more clause in the first sentence."""
        return ((*self.said[0], why), *self.said[1:])


@dataclass(frozen=True)
class _Decided:
    outcome: Outcome
    why: Clauses = ()
    needed: Needed = UNKNOWN
    nearest: Nearest | None = None
    beside: Explanation = ()


def weigh(found: Sequence[Finding], seen: Observations, gate: Gate) -> tuple[JudgedPart, ...]:
    """Returns the parts: support at the full level, refutation corrected for the number of parts that can
    refute.
    """
    confidence, fewest = gate.confidence, gate.fewest
    if gate.sequential:
        found = [one if one.asserts is None else replace(one, asserts=wary(one.asserts)) for one in found]
    judged = [
        (number, statement)
        for number, one in enumerate(found)
        if one.asserts is not None and one.blocks >= fewest and not seen.barred
        for statement in asserted(one.asserts)
    ]
    fallen = refuted_together([statement.decide for _, statement in judged], confidence)
    refuted = {judged[number][0] for number in fallen}
    return tuple(
        _weighed(
            one, seen, _decided(one, confidence, fewest, len(judged), number in refuted), gate, len(found)
        )
        for number, one in enumerate(found)
    )


def _weighed(one: Finding, seen: Observations, decided: _Decided, gate: Gate, chances: int) -> JudgedPart:
    outcome, needed, why, beside = decided.outcome, decided.needed, decided.why, decided.beside
    dependent = _dependent(one)
    if gate.sequential and dependent and outcome != "undecided":
        outcome, why, beside = "undecided", (phrase("dependent", *dependent),), ()
    elif gate.sequential and outcome == "undecided" and one.asserts is not None and one.blocks >= gate.fewest:
        beside = (*beside, (phrase("wary"),))
    says = _says(outcome, one)
    count, kinds = seen.missing(*one.where)
    if one.approaching:
        count, kinds = count + one.approaching, (*kinds, *seen.why_approaching(*one.where))
    meant = wording.meaning(says)
    beside = (*one.beside, *beside, *([wording.left_out(count, kinds)] if count else []))
    doubts = tuple(dict.fromkeys((*seen.warnings(*one.where), *one.doubts, *dependent)))
    if seen.barred:
        says = None
        beside = (*beside, (phrase("barred", *seen.barred),))
        outcome, needed = "undecided", UNKNOWN
        doubts = seen.barred
    is_same = outcome == "supported" and one.question is not None and one.question.relation == "~"
    missed = most_of_all(0, one.blocks, gate.confidence) if is_same else None
    if missed is not None:
        beside = (*beside, wording.missed(one.blocks, missed, gate.confidence))
    holding = None if outcome == "undecided" else _withstands(one, outcome, gate, chances)
    if holding is not None and is_frail(holding, one.blocks):
        beside = (*beside, wording.withstands(one.blocks, holding))
    said = ((*one.said, *why, *meant), *beside)
    more = summing_up.more(needed.blocks, needed.too_many) if outcome == "undecided" else ()
    part = Part(
        where=one.where,
        outcome=outcome,
        figure=one.figure,
        blocks=one.blocks,
        more_blocks=needed.blocks,
        explanation=(*said, *more),
        doubts=doubts,
        too_many_blocks=needed.too_many,
        runs=one.runs,
        nearest=decided.nearest,
        answers=one.answers,
        says=says,
        missed=missed,
        withstands=holding,
    )
    return JudgedPart(part, said)


def _withstands(one: Finding, outcome: Outcome, gate: Gate, parts: int) -> float | None:
    """Returns the correlation of neighbouring blocks that an outcome withstands; a refuted one of several
    `parts` by their number (Bonferroni).
    """
    if one.asserts is None:
        return None
    level = corrected(gate.confidence, parts) if outcome == "refuted" else gate.confidence
    return withstands(one.asserts, outcome, level)


def _dependent(one: Finding) -> tuple[str, ...]:
    """Returns doubts about the blocks of what is held against each other; none about a single level."""
    if one.asserts is None or len(one.where) < 2:
        return ()
    series = [edges.contrasts[0].values for edges in one.asserts.leaves()]
    kinds = (kind for values in series for kind in doubts_of_ratio(values, len(series)))
    return tuple(dict.fromkeys(kinds))


def _decided(one: Finding, confidence: float, fewest: int, chances: int, refuted: bool) -> _Decided:
    if one.plain is not None:
        return _Decided(one.plain)
    if one.asserts is None:
        return _Decided("undecided")
    needed = one.asserts.to_go(confidence, max(chances, 1) // len(asserted(one.asserts)) or 1, fewest)
    if one.blocks < fewest:
        return _Decided("undecided", (phrase("too-few", fewest=fewest),), needed)
    alone = [statement.decide(confidence) for statement in asserted(one.asserts)]
    least = nearest(one.asserts, confidence)
    of = None if least is None else least.nearest
    outcome: Outcome = "refuted" if refuted else "supported" if alone == ["supported"] else "undecided"
    if isinstance(one.asserts, Within):
        return _Decided(outcome, (wording.of_a_set(outcome, one.asserts.wanted_in_words),))
    if isinstance(one.asserts, InShare):
        return _Decided(outcome, (wording.of_a_share(outcome, one.asserts.least),), needed)
    unit = wording.unit_of(one.question, one.figure)
    if refuted:
        why = wording.because(_seen("refuted", one), one.question, of, unit)
        return _Decided("refuted", (why,), nearest=of)
    if set(alone) == {"supported"}:
        why = wording.because(_seen("supported", one), one.question, unit=unit)
        return _Decided("supported", (why,))
    if "refuted" in alone:
        why = wording.because("refuted", one.question, of, unit)
        return _Decided("undecided", (why, phrase("by-chance", points=chances)), needed, of)
    why = wording.because("undecided", one.question, of, unit)
    beside = wording.direction(one.question, one.figure)
    return _Decided("undecided", (why,), needed, of, beside)


def _says(outcome: Outcome, one: Finding) -> NotBeyond | None:
    question, figure = one.question or one.compares, one.figure
    if question is None or isinstance(one.asserts, Not):
        return None
    ends = (figure.low, figure.high) if figure is not None and figure.kind == "ratio" else (None, None)
    return question.says(outcome, ends)


def _seen(outcome: Outcome, one: Finding) -> Outcome:
    """Returns the outcome of the question itself: the opposite one where the statement is negated."""
    return OPPOSITE[outcome] if isinstance(one.asserts, Not) and one.question is not None else outcome


def without_outcome(one: JudgedPart, why: Phrase, doubts: tuple[str, ...] = ()) -> JudgedPart:
    """Returns a part that decides nothing, for the reason that ends its sentence."""
    said = one.with_clause(why)
    part = replace(
        one.part,
        outcome="undecided",
        explanation=said,
        more_blocks=None,
        too_many_blocks=False,
        nearest=None,
        says=None,
        missed=None,
        withstands=None,
        doubts=tuple(dict.fromkeys((*one.part.doubts, *doubts))),
    )
    return JudgedPart(part, said)
