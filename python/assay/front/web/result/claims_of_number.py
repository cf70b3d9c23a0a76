"""The claims and gates that rest on a number: the way back up from it."""

from __future__ import annotations

from collections.abc import Iterator

from assay.design.study import Hypothesis
from assay.front.web.archive.open_results import OpenResults
from assay.front.web.page import PageRequest
from assay.reporting.report import (
    Cell,
    Figure,
    Link,
    Table,
    Word,
    explain_part,
    level_limits,
    named_columns,
)
from assay.results.verdict import Part

CLAIM, GATE = "claim", "gate"
"""What links of the table lead to: the summary of the result, and the page of its gates."""


def claims_table(one: PageRequest, opened: OpenResults, treatment: str, load: float, measure: str) -> Table:
    """Returns the parts of claims and the checks of gates of which a number is a side, with their outcome."""
    words = one.words
    return Table(
        "", "claims", words("web.number.claims"),
        named_columns(words, "column", claim="links", outcome="word", figure="number", explanation="prose"),
        tuple(_rows(one, opened, treatment, load, measure)),
        empty=words("web.number.no-claims"),
    )  # fmt: skip


def _rows(
    one: PageRequest, opened: OpenResults, treatment: str, load: float, measure: str
) -> Iterator[tuple[Cell, ...]]:
    material = opened.material(one.language)
    rules = {rule.text: rule for rule in opened.judged.study.hypotheses}
    for verdict in opened.judged.results.hypotheses:
        rule = rules.get(verdict.claim)
        for part in verdict.parts:
            if rule is not None and _rests(rule, part, treatment, load, measure):
                yield Link(verdict.claim, CLAIM), *_said(part.word, part, explain_part(material, part))
    held = {limit.claim for limit in level_limits(material, [measure], treatment=treatment, load=load)}
    for check in () if opened.gated is None else opened.gated.checks:
        if check.part is None:
            continue
        if _rests(check.rule.hypothesis, check.part, treatment, load, measure):
            why = explain_part(material, check.part)
            yield Link(check.rule.text, GATE), *_said(check.outcome, check.part, why)
        elif check.rule.text in held and check.load == load:
            # Of the treatments that a gate is about, one decides it.
            other = one.words.listed(check.part.treatments)
            why = one.words("web.number.decided-by", treatment=other)
            yield Link(check.rule.text, GATE), Word(check.outcome), None, why


def _said(outcome: str, part: Part, why: str) -> tuple[Cell, ...]:
    figure = part.figure
    return Word(outcome), None if figure is None else Figure(figure.value, figure.low, figure.high), why


def _rests(rule: Hypothesis, part: Part, treatment: str, load: float, measure: str) -> bool:
    return any(term.measure == measure for term in rule.terms) and any(
        place.treatment == treatment and place.load in (None, load) for place in part.where
    )
