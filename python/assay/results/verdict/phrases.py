"""Records of what a verdict says: phrases by key with the facts that fill them, in no language.

The report has each phrase in every language, under `[verdict]` in its words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from assay.results.verdict.compared import Place

FigureKind = Literal["level", "ratio", "load", "order", "share"]
AmountKind = Literal[FigureKind, "given"]
"""A `given` amount is a figure of the claim itself, said as it was written."""


@dataclass(frozen=True)
class Amount:
    """A figure to be said, with its unit. Its interval is over so many blocks, at this confidence.

    `beside`: figures on whose side an end of the interval must be seen to lie.
    """

    value: float
    unit: str = ""
    low: float | None = None
    high: float | None = None
    kind: AmountKind = "level"
    blocks: int = 0
    confidence: float = 0.0
    beside: tuple[float, ...] = ()


@dataclass(frozen=True)
class Phrase:
    """A phrase by its key, and its facts by name.

    `names` are the same in all languages; `lists` are names of which one or all are meant; `doubts` are kinds
    of doubts. `parts` are phrases in turn.
    """

    key: str
    names: Mapping[str, str | int] = field(default_factory=dict, hash=False)
    lists: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    amounts: Mapping[str, Amount] = field(default_factory=dict, hash=False)
    places: Mapping[str, Place] = field(default_factory=dict, hash=False)
    parts: Mapping[str, tuple[Phrase, ...]] = field(default_factory=dict, hash=False)
    doubts: tuple[str, ...] = ()


Clauses = tuple[Phrase, ...]
"""Phrases that make one sentence."""

Explanation = tuple[Clauses, ...]
"""Sentences, one after the other."""

Fact = str | int | Amount | Place | Phrase | tuple[str, ...] | tuple[Phrase, ...]


def phrase(key: str, *doubts: str, **facts: Fact) -> Phrase:
    """Returns a phrase with its facts, each under its name."""
    names: dict[str, str | int] = {}
    lists: dict[str, tuple[str, ...]] = {}
    amounts: dict[str, Amount] = {}
    places: dict[str, Place] = {}
    parts: dict[str, tuple[Phrase, ...]] = {}
    for name, fact in facts.items():
        match fact:
            case Amount():
                amounts[name] = fact
            case Place():
                places[name] = fact
            case Phrase():
                parts[name] = (fact,)
            case str() | int():
                names[name] = fact
            case _ if all(isinstance(one, str) for one in fact):
                lists[name] = tuple(one for one in fact if isinstance(one, str))
            case _:
                parts[name] = tuple(one for one in fact if isinstance(one, Phrase))
    return Phrase(key, names, lists, amounts, places, parts, doubts)


def given(value: float, unit: str = "") -> Amount:
    """Returns a figure that the claim gives, or an edge of what it asks about."""
    return Amount(float(value), unit, kind="given")


def percent(confidence: float) -> str:
    """Returns a confidence in per cent: `95`, `99.9`."""
    return f"{confidence * 100:g}"
