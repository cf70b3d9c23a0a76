"""Frozen records of what a screen found: effects of its factors, and what two of them do together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from assay.results.verdict.compared import Comparison, ComparisonWord

FollowUp = Literal["yes", "open", "no"]


@dataclass(frozen=True)
class FactorEffect:
    """The effect of one factor of a screen over all treatments: `level` against `first`.

    `comparison` has the figures. Of a single block it has no interval: `alone` and `together` then are those
    of Lenth (1989), each right by itself and all right at once.
    """

    factor: str  # by the name that claims have
    first: str
    level: str
    comparison: Comparison
    family_p: float | None  # of the factors at one load point together (Holm); None where nothing is judged
    alone: tuple[float, float] | None
    together: tuple[float, float] | None
    follow_up: FollowUp  # yes: it surely does something; no: the same; open: neither is sure


@dataclass(frozen=True)
class Interaction:
    """The interaction of two factors of a screen: the ratio of one where the other has its second level, over
    its ratio where that has its first. 1 means that neither changes the other's effect.

    What `aliased` pairs do cannot be told from it; `mixed` pairs leak into it by a `share` at most, but what
    those in `explained_by` do was taken out.
    """

    measure: str
    load: float
    factors: tuple[str, str]
    ratio: float
    low: float | None
    high: float | None
    blocks: int
    word: ComparisonWord  # worth-a-study, same, undecided or estimate-only
    q_value: float | None  # of "1", of all pairs of this measure at this load (Benjamini, Hochberg)
    aliased: tuple[tuple[str, str], ...]
    mixed: int
    share: float
    explained_by: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Screening:
    """The results of a screen."""

    kind: str
    folded: bool  # whether main effects are clear of interactions of two factors
    effects: tuple[FactorEffect, ...]
    interactions: tuple[Interaction, ...]
