"""Chooses among the levels of a factor of server variables by the comparisons of a study."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp, log
from typing import Literal

from assay.design.study import LoadKind
from assay.results.advice.durability import Durability, Risk, durability, risks
from assay.results.verdict import Decision

Outcome = Literal["take", "keep", "no-difference", "depends", "worth-a-study", "undecided"]
"""`take`: a level is better at some load point and worse at none. `keep`: every other level is worse at some
and better at none. `no-difference`: all are the same. `depends`: better at one and worse at another.
`worth-a-study`: a screen names the level as a candidate, and takes none.
"""


@dataclass(frozen=True)
class Effect:
    """One comparison of a level with the first level of its factor. `decision` has the ratio level / first
    level; `judged` is the comparison's word: "better", "worse", "same", "worth-a-study" …
    """

    measure: str
    load: float
    load_kind: LoadKind
    decision: Decision
    judged: str
    workload: str | None = None  # where the study varies it

    @property
    def word(self) -> str:
        """The word of the comparison; `estimate-only` where nobody may act on it."""
        return self.judged if self.decision.is_firm else "estimate-only"

    @property
    def ratio(self) -> float:
        """Level / first level."""
        return self.decision.figure

    @property
    def low(self) -> float | None:
        """The lower end over all blocks."""
        return self.decision.low

    @property
    def high(self) -> float | None:
        """The upper end over all blocks."""
        return self.decision.high


@dataclass(frozen=True)
class TriedLevel:
    """A level of a factor: the settings that it makes, and its effects; the first level has none."""

    settings: Mapping[str, str]
    effects: tuple[Effect, ...] = ()

    @property
    def risks(self) -> tuple[Risk, ...]:
        """Everything that its settings put at risk."""
        return risks(self.settings)

    @property
    def durability(self) -> tuple[Durability, ...]:
        """The durability classes of its settings."""
        return durability(self.settings)

    @property
    def words(self) -> frozenset[str]:
        """The words of all its effects."""
        return frozenset(effect.word for effect in self.effects)

    @property
    def first(self) -> tuple[Effect, ...]:
        """The effects on its first measure."""
        return tuple(one for one in self.effects if one.measure == self.effects[0].measure)

    @property
    def size(self) -> float:
        """The geometric mean of the ratios of its first measure; 1 where there are none."""
        logs = [log(one.ratio) for one in self.first]
        return exp(sum(logs) / len(logs)) if logs else 1.0

    def decided_as(self, word: str) -> bool:
        """Returns whether its first measure is `word` at some load point, and the same at all others."""
        found = {one.word for one in self.first}
        return word in found and found <= {word, "same"}

    def __str__(self) -> str:
        return ", ".join(f"{name} = {value}" for name, value in self.settings.items())


@dataclass(frozen=True)
class TriedFactor:
    """A factor of a study with its levels in the study's order, two or more."""

    name: str
    levels: tuple[TriedLevel, ...]


@dataclass(frozen=True)
class Choice:
    """The outcome for one factor.

    `level` is what the outcome is about: the level to take, the first level where it is to be kept, otherwise
    the level with the largest effect. `others` are the other levels in the study's order.
    """

    factor: str
    outcome: Outcome
    level: TriedLevel
    others: tuple[TriedLevel, ...]

    @property
    def levels(self) -> tuple[TriedLevel, ...]:
        """All levels, the one that the outcome is about first."""
        return (self.level, *self.others)

    @property
    def first(self) -> TriedLevel:
        """The first level of the factor, which the ratios are relative to."""
        return self.level if self.outcome in ("keep", "no-difference") else self.others[0]

    @property
    def is_judged(self) -> bool:
        """Whether some comparison had enough blocks for a word."""
        return any(one.words - {"estimate-only"} for one in self.levels)


def choose(factor: TriedFactor) -> Choice:
    """Returns the choice among the levels of a factor, by the words of its comparisons.

    The first measure decides (how much was done); of the others only *better* and *worse* count, for tails of
    latency often stay undecided. A level whose first measure is undecided somewhere is never taken.
    """
    first, *others = factor.levels
    good = [one for one in others if one.decided_as("better") and "worse" not in one.words]
    if good:
        return _choice(factor, "take", max(good, key=lambda one: one.size))
    if mixed := [one for one in others if {"better", "worse"} <= one.words]:
        return _choice(factor, "depends", mixed[0])
    if all(one.decided_as("worse") for one in others):
        return _choice(factor, "keep", first)
    if all(one.decided_as("same") and not one.words & {"better", "worse"} for one in others):
        return _choice(factor, "no-difference", first)
    if candidates := [one for one in others if "worth-a-study" in {effect.word for effect in one.first}]:
        return _choice(factor, "worth-a-study", max(candidates, key=lambda one: abs(log(one.size))))
    return _choice(factor, "undecided", max(others, key=lambda one: abs(log(one.size))))


def _choice(factor: TriedFactor, outcome: Outcome, level: TriedLevel) -> Choice:
    return Choice(factor.name, outcome, level, tuple(one for one in factor.levels if one is not level))
