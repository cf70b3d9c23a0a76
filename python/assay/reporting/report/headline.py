"""The answer of a study in one sentence: what was claimed, the figure, and the word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.design.study import HIGHER_IS_BETTER, in_language, parted
from assay.reporting.report import figures
from assay.reporting.report.explain import meaning, when_named
from assay.reporting.report.labels import labels
from assay.reporting.report.material import Material
from assay.reporting.report.readings import begun, measure_words, reading
from assay.reporting.report.records.matrix import over_kinds, treatments
from assay.reporting.report.records.screening import advised
from assay.results.verdict import leading_measures

if TYPE_CHECKING:
    from assay.design.study import Hypothesis
    from assay.results.verdict import Comparison, Estimate, HypothesisVerdict


@dataclass(frozen=True)
class Answer:
    """One hypothesis, or what was found without one, in a sentence; `outcome` is its word, empty without one.

    `claim` is the formula.
    """

    sentence: str
    outcome: str = ""
    claim: str = ""


MOST_KINDS = 3
"""Up to so many kinds of load have a sentence each."""


def answer_measure(material: Material) -> str | None:
    """Returns the measure that the study is about, by the order that lists of results have, with that of its
    first claim in between; None where none of them was measured.
    """
    known = {one.measure for one in material.results.estimates}
    claimed = [term.measure for one in material.study.hypotheses[:1] for term in one.terms]
    wanted = [*leading_measures(material.results, claimed[:1]), material.throughput]
    return next((name for name in wanted if name in known), None)


def headline(material: Material) -> Answer:
    """Returns the answer to the study's question: the outcome of its first hypothesis, or how its treatments
    compare.
    """
    return next(iter(claims(material)), None) or _without_claims(material)


def claims(material: Material) -> list[Answer]:
    """Returns every hypothesis with its outcome, in the study's order."""
    both = zip(material.study.hypotheses, material.results.hypotheses, strict=False)
    return [Answer(told(material, one, verdict), verdict.word, verdict.claim) for one, verdict in both]


def told(material: Material, hypothesis: Hypothesis, verdict: HypothesisVerdict) -> str:
    """Returns a hypothesis and its figure in a sentence that says no more than the verdict does, and that it
    was named after the first block, where it was.
    """
    said = _told(material, hypothesis, verdict)
    if verdict.named != "after":
        return said
    named = begun(material.words, when_named(material.words, verdict))
    return material.words.sentences([said, named + material.words("consequence.stop")])


def _told(material: Material, hypothesis: Hypothesis, verdict: HypothesisVerdict) -> str:
    words = material.words
    says = in_language(hypothesis.says, words.language).strip().rstrip(".。")
    says = says or begun(words, reading(material, hypothesis))
    if up_to := meaning(words, verdict.says):
        says = words("answer.up-to", says=says, meaning=up_to)
    said = words(f"answer.{verdict.word}", says=says)
    figure = figures.of_verdict(words, verdict, material.results.load_kind)
    if not figure:
        figure = "" if hypothesis.advice else words("hypotheses.no-parts").rstrip(".。")
    if not figure:
        return words("answer.sentence-alone", said=said)
    return words("answer.sentence-more" if ":" in said else "answer.sentence", said=said, figure=figure)


def _without_claims(material: Material) -> Answer:
    words, results = material.words, material.results
    if results.copies:
        alarms, compared = len(results.false_alarms), len(results.comparisons)
        return Answer(words("copies.alarms", alarms=alarms, compared=compared))
    if results.screening is not None:
        return Answer(advised(results, words) or words("answer.nothing"))
    if not results.workloads:
        return _compared(material)
    parts = material.parts()
    if len(parts) <= MOST_KINDS:
        found = [(part.workload or "", _compared(part)) for part in parts]
        said = words.sentences(words("answer.of-kind", kind=kind, said=one.sentence) for kind, one in found)
        outcomes = {one.outcome for _, one in found}
        return Answer(said, outcomes.pop() if len(outcomes) == 1 else "")
    return _over_kinds(material)


def _over_kinds(material: Material) -> Answer:
    """Returns the mean over all kinds of load of the treatment that differs most from the baseline."""
    words, measure, load = material.words, material.throughput, max(material.results.loads)
    baseline, *others = treatments(material)
    found = {one: mean for one in others if (mean := over_kinds(material, measure, load, one)) is not None}
    if not found:
        return Answer(words("answer.kinds", kinds=len(material.results.workloads)))
    most = max(found, key=lambda one: found[one].found.ratio)
    of = found[most].found
    said = words(
        "answer.over-kinds",
        kinds=len(material.results.workloads),
        left=most,
        right=baseline,
        measure=measure_words(material, measure),
        figure=figures.times(words, of.ratio, of.low, of.high),
        loads=material.load_words(load),
    )
    return Answer(said, found[most].word)


def _compared(material: Material) -> Answer:
    """Returns how two treatments compare, which of several had the best mean, or what a single one did."""
    words, results, measure = material.words, material.results, answer_measure(material)
    found = [one for one in results.estimates if one.measure == measure]
    if measure is None or not found:
        return Answer(words("answer.nothing"))
    compared = [
        one for one in results.comparisons if one.measure == measure and one.baseline == results.treatments[0]
    ]
    others = dict.fromkeys(one.other for one in compared)
    if len(others) == 1:
        return _of_two(material, compared)
    best = (max if parted(measure)[1] in HIGHER_IS_BETTER else min)(found, key=lambda one: one.value)
    if len(results.treatments) == 1:
        key = "answer.alone"
    else:
        key = "answer.highest" if parted(measure)[1] in HIGHER_IS_BETTER else "answer.lowest"
    said = words(
        key,
        treatment=begun(words, labels(material).get(best.treatment, best.treatment)),
        measure=measure_words(material, measure),
        value=_value(material, best),
        loads=material.load_words(best.load),
    )
    beside = next((one for one in compared if (one.other, one.load) == (best.treatment, best.load)), None)
    if beside is None:
        return Answer(said)
    baseline = labels(material).get(beside.baseline, beside.baseline)
    ratio = figures.times(words, beside.ratio, beside.low, beside.high)
    return Answer(words("answer.and-ratio", said=said, figure=ratio, right=baseline), beside.word)


def _value(material: Material, one: Estimate) -> str:
    return figures.measured(
        material.words, one.value, one.low, one.high, figures.unit_words(material.words, one.unit)
    )


def _of_two(material: Material, compared: Sequence[Comparison]) -> Answer:
    words, names, kind = material.words, labels(material), material.results.load_kind
    first = compared[0]
    if len(compared) == 1:
        figure = figures.times(words, first.ratio, first.low, first.high)
    else:
        figure = words("answer.times", ratio=figures.span(words, [one.ratio for one in compared]))
    said = words(
        "answer.compared",
        left=begun(words, names.get(first.other, first.other)),
        right=names.get(first.baseline, first.baseline),
        measure=measure_words(material, first.measure),
        figure=figure,
        loads=figures.at_loads(words, [one.load for one in compared], kind),
    )
    by_word: dict[str, list[float]] = {}
    for one in compared:
        by_word.setdefault(one.word, []).append(one.load)
    if len(by_word) == 1:
        return Answer(said, first.word)
    listed = words.clauses(
        words(
            "answer.word-at",
            word=words(f"word.{name}"),
            loads=words.listed(material.load_words(x) for x in at),
        )
        for name, at in by_word.items()
    )
    return Answer(words("answer.by-word", said=said, words=listed))
