"""Explains verdicts and doubts in sentences of the report's language."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, assert_never

from assay.base import numbers
from assay.reporting.report.material import Material
from assay.reporting.report.verdict_sentences import explained, with_unit
from assay.reporting.report.words import load_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.design.study import LoadKind
    from assay.reporting.report.words import Words
    from assay.results.verdict import Decision, DoubtNote, Figure, HypothesisVerdict, NotBeyond, Part

_BRACED = re.compile(r"\{\w+\}")
_ESCAPED = re.compile(r"\\\{(\w+)\\\}")
"""A name in braces in a phrase, and as `re.escape` writes it."""


def explain(material: Material, verdict: HypothesisVerdict) -> str:
    """Returns why a verdict is what it is, in sentences of the report's language."""
    return explained(material.words, verdict.explanation)


def when_named(words: Words, verdict: HypothesisVerdict) -> str:
    """Returns whether a claim was named, with its margin and confidence, before the first block."""
    return words(f"hypotheses.named-{verdict.named}", blocks=verdict.named_after or 0)


def meaning(words: Words, says: NotBeyond | None) -> str:
    """Returns what an outcome says where its formula reads like more: "not less by more than 2 %"; empty
    where it reads as it is.
    """
    return words(f"verdict.{says.word}", margin=says.percent) if says else ""


def explain_part(material: Material, part: Part) -> str:
    """Returns why a part of a hypothesis has its outcome, in sentences of the report's language."""
    return explained(material.words, part.explanation)


def explain_estimate(words: Words, decision: Decision) -> str:
    """Returns why a decision is an estimate, in a sentence or several; empty for one that may be acted on."""
    said = []
    for obstacle in decision.obstacles:
        key = "unknown-blocks" if obstacle == "few-blocks" and 0 in decision.blocks else obstacle
        said.append(words(f"decision.{key}", blocks=min(decision.blocks), fewest=decision.fewest))
    return words.sentences(said)


def doubts_beside(words: Words, *decisions: Decision) -> str:
    """Returns the kinds of the doubts about decisions in a sentence; empty without any."""
    all_kinds = dict.fromkeys(kind for one in decisions for kind in one.doubts)
    kinds = words.listed(words.get(f"doubt.{kind}", kind) for kind in all_kinds)
    return words("decision.doubts", kinds=kinds) if kinds else ""


def explain_doubt(words: Words, doubt: DoubtNote) -> str:
    """Returns a doubt's own sentence in English; in another language that of its kind, with its figures.

    A kind without a sentence, or a folder without the figures, gives the English sentence.
    """
    facts = {"message": doubt.message, **doubt.facts}
    told = {
        name: _translated(words, doubt.kind, fact) if isinstance(fact, str) else fact
        for name, fact in facts.items()
    }
    try:
        sentence = words.get(f"doubt-says.{doubt.kind}", "").format(**told)
    except KeyError:
        return doubt.message
    return sentence or doubt.message


def _translated(words: Words, kind: str, text: str) -> str:
    """Returns a text that a doubt of this kind was recorded with in the language of the words: the whole, or
    each item of a list. What has none of the forms of its kind stays as it is.
    """
    if words.language == "en":
        return text
    lists = [text.split(between) for between in (", ", "; ") if between in text]
    for items in (*lists, [text]):
        phrases = [_phrase(words, kind, item) for item in items]
        if None not in phrases:
            return words.listed(phrase for phrase in phrases if phrase is not None)
    return text


def _phrase(words: Words, kind: str, text: str) -> str | None:
    """Returns an item in the language of the words; None for one that has none of the forms of its kind."""
    for key, form in _forms(kind):
        if found := form.fullmatch(text):
            parts = {name: _translated(words, kind, part) for name, part in found.groupdict().items()}
            return words(key, **parts)
    return None


@cache
def _forms(kind: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Returns the English forms of what doubts of a kind are recorded with, by the keys of their phrases;
    those with most words of their own come first.
    """
    english, prefix = load_words("en"), f"doubt-form.{kind}."
    forms = {key: english(key) for key in english.keys() if key.startswith(prefix)}  # noqa: SIM118
    ordered = sorted(forms.items(), key=lambda item: -len(_BRACED.sub("", item[1])))
    return tuple(
        (key, re.compile(_ESCAPED.sub(r"(?P<\1>.+?)", re.escape(form)), re.DOTALL)) for key, form in ordered
    )


def doubt_names(words: Words, kinds: Sequence[str]) -> tuple[str, ...]:
    """Returns the names of kinds of doubts: "unsteady", "busy generator"."""
    return tuple(words.get(f"doubt.{kind}", kind) for kind in kinds)


def treatments(part: Part) -> str:
    """Returns the treatments of the claim's left and right side: `b / a`."""
    return " / ".join(part.treatments)


def figure_text(found: Figure | None, words: Words, load_kind: LoadKind) -> str:
    """Returns a figure as `1.234 [1.210, 1.260]`, `12.3 [12.0, 12.6] ms` or `8 threads [4, 16]`; a dash for
    none.
    """
    if found is None:
        return numbers.NOTHING
    match found.kind:
        case "ratio":
            return numbers.ratio_with_interval(found.value, found.low, found.high)
        case "level":
            return with_unit(words, numbers.bracketed(found.value, found.low, found.high), found.unit)
        case "load":
            return words.load(found.value, load_kind) + _ends(found)
        case "order":
            return numbers.number(found.value) + _ends(found)
        case "share":
            return with_unit(words, f"{numbers.number(100 * found.value)}{_ends(found, times=100)}", "%")
    assert_never(found.kind)


def _ends(found: Figure, times: float = 1) -> str:
    if found.low is None or found.high is None:
        return ""
    return f" [{numbers.number(times * found.low)}, {numbers.number(times * found.high)}]"
