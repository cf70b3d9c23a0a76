"""Sentences about the outcome of a gate, in the report's languages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from assay.base.numbers import number
from assay.base.printable import line
from assay.reporting.report.explain import explain_doubt, figure_text
from assay.reporting.report.ledger_sentences import Telling, told_of
from assay.reporting.report.verdict_sentences import explained
from assay.reporting.report.words import Words, load_words

if TYPE_CHECKING:
    from assay.results.verdict import Check, Gated, Lack, Reach

MOST_LINES = 3
"""Lines of a ledger that a gate names."""


def check_name(check: Check, gated: Gated, words: Words | None = None) -> str:
    """Returns the name of a check: its claim, and its load point: `tps[…] >= 0.97 @ 64 threads`."""
    if check.load is None:
        return check.rule.text
    return f"{check.rule.text} @ {(words or load_words('en')).load(check.load, gated.load_kind)}"


def figure_of(check: Check, gated: Gated, words: Words | None = None) -> str:
    """Returns the figure that decides a check with its interval, or a dash."""
    found = None if check.part is None else check.part.figure
    return figure_text(found, words or load_words("en"), gated.load_kind)


def gate_summary(gated: Gated, words: Words) -> str:
    """Returns the outcome of the whole in one sentence, with the number of checks by outcome."""
    counts = words.listed(words(f"gate.{outcome}", count=count) for outcome, count in gated.counts.items())
    warnings = sum(one.weight == "warning" for one in gated.checks)
    said = [words(f"gate.is-{gated.outcome}", study=words.title(gated.title, gated.study), counts=counts)]
    if warnings:
        said.append(words("gate.warnings", count=warnings))
    if gated.cleared:
        said.append(words("gate.cleared", count=len(gated.cleared)))
    return words.sentences(said)


def chance_sentence(gated: Gated, words: Words) -> str:
    """Returns the number of gates, load points and checks, and of the gates that chance alone would fail."""
    return words(
        "gate.chance",
        gates=gated.gates,
        checks=len(gated.checks),
        alarms=number(gated.alarms, 2),
        level=number(100 * gated.confidence),
    )


def made_of(check: Check, words: Words, names: Mapping[str, str] = MappingProxyType({})) -> str:
    """Returns what the difference of a check that failed is made of, by the lines that have moved; "" where
    none has. `names` are those of treatments.
    """
    if check.part is None or not check.ledgers:
        return ""
    kind = check.part.where[0].load_kind
    said = told_of(check.ledgers, Telling(words, names, kind, check.blocks, MOST_LINES))
    return words("gate.made-of", said=said) if said else ""


def why_unjudged(check: Check, words: Words) -> str:
    """Returns what a check lacks, or else why it has no outcome."""
    return lacks_text(check.lacks, words) or explained(words, check.explanation) or check.why


def lacks_text(lacks: Sequence[Lack], words: Words) -> str:
    """Returns the first thing that is missing, and how many more there are; an empty text for nothing."""
    if len(lacks) < 2:
        return "".join(lack_text(one, words) for one in lacks)
    return words("gate.lacks", first=lack_text(lacks[0], words), count=len(lacks) - 1)


def lack_text(lack: Lack, words: Words) -> str:
    """Returns what is missing as a sentence, and what comes from a run or a doubt as far as it has one in the
    language.
    """
    doubt = {} if lack.doubt is None else {"message": line(explain_doubt(words, lack.doubt))}
    values = {name: number(value, 2) if isinstance(value, float) else value for name, value in lack.values}
    return words(f"gate.lack-{lack.key}", **values, **doubt)


def reach_text(reach: Reach, words: Words) -> str:
    """Returns the smallest change that the blocks of a check can show: `2.1 % by A/A, 1.8 % by these
    blocks`.
    """
    known = [
        words(f"gate.reach-{name}", percent=number(100 * (ratio - 1), 1))
        for name, ratio in (("copies", reach.copies), ("blocks", reach.blocks))
        if ratio is not None
    ]
    return words.listed(known) or words("gate.reach-unknown")
