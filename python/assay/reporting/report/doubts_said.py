"""Says in a sentence what the doubts of results can do to their verdicts, in the report's languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.results.verdict import kinds_of_doubt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.reporting.report.words import Words
    from assay.results.verdict import Consequence, Results

_NAMED = 3
"""Kinds that a sentence names; the table has all."""


def doubts_sentence(words: Words, results: Results) -> str:
    """Returns what the doubts can do, for a first screen and a terminal: "3 kinds of warning, none of which
    could turn a verdict.", with a sentence about the kinds that a person accepts for this machine.
    """
    if not results.doubts:
        return words("summary.no-doubts")
    rows = kinds_of_doubt(results)
    known = [one for one in rows if not one.is_said]
    said = [_of_kinds(words, rows)]
    if known:
        names = words.listed(kind_name(words, one.kind) for one in known)
        said.append(words("consequence.known", count=len(known), kinds=names))
    return words.sentences(said)


def _of_kinds(words: Words, rows: Sequence[Consequence]) -> str:
    turning = [one for one in rows if one.turned]
    counted = [one for one in rows if one.is_said and (one.severity != "note" or one.turned)]
    if not counted:
        return words("consequence.no-warnings", notes=sum(one.severity == "note" for one in rows))
    count = len(counted)
    if any(one.word == "not-weighed" for one in counted):
        return words("consequence.unjudged", count=count)
    if turning:
        named = [
            f"{kind_name(words, one.kind)}{words('consequence.of')}{said_of(words, one)}" for one in turning
        ]
        if (more := len(named) - _NAMED) > 0:
            named = [*named[:_NAMED], words("consequence.more", count=more)]
        return words("consequence.turning", count=count, kinds=words.clauses(named))
    no_claim = all(one.why == "no-claim" for one in rows)
    return words("consequence.no-claim" if no_claim else "consequence.harmless", count=count)


def said_of(words: Words, one: Consequence) -> str:
    """Returns what a kind of doubt can do: "cannot turn a verdict", "could turn claim 2", "has left claim 1
    undecided".
    """
    parts = []
    for word in ("has-turned", "could-turn"):
        if numbers := [turned.claim for turned in one.turned if turned.word == word]:
            claims = words("consequence.claims", count=len(numbers), numbers=_listed(words, numbers))
            parts.append(words(f"consequence.{word}", claims=claims))
    return words.listed(parts) or words(f"consequence.{one.word}")


def reason_of(words: Words, one: Consequence) -> str:
    """Returns the reason for what a kind of doubt can do, in a sentence; empty where it is not weighed."""
    return "" if one.word == "not-weighed" else words(f"consequence.why.{one.why}")


def kind_name(words: Words, kind: str) -> str:
    """Returns the name of a kind of doubt; the kind itself with spaces where it has none."""
    return words.get(f"doubt.{kind}", kind.replace("-", " "))


def _listed(words: Words, numbers: Sequence[int]) -> str:
    return words.listed(str(number) for number in numbers)
