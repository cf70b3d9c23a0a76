"""A whole claim: what must hold, all of it, where and in which part of the window."""

from __future__ import annotations

from dataclasses import dataclass

from assay.study.claims.axes import At, Window
from assay.study.claims.best import BestClaim
from assay.study.claims.cause import CauseClaim
from assay.study.claims.comparison import ComparisonClaim
from assay.study.claims.course import CourseClaim
from assay.study.claims.crossover import CrossoverClaim
from assay.study.claims.every_run import EveryRunClaim
from assay.study.claims.knee import KneeClaim
from assay.study.claims.terms import Term

ClaimPart = (
    BestClaim | KneeClaim | CrossoverClaim | CauseClaim | EveryRunClaim | CourseClaim | ComparisonClaim
)
"""Every kind, in the order in which a text is tried: the first that knows its form takes it.

Forms that begin with a word of their own stand first, then those that begin with a term, the longer of two
before the shorter. The last complains of what no kind knows.
"""


@dataclass(frozen=True)
class Claim:
    """`part and part at threads < 20 in last 10m`: every part holds there. None: everywhere, all the time."""

    parts: tuple[ClaimPart, ...]
    at: At | None = None
    window: Window | None = None

    @property
    def uses_margin(self) -> bool:
        """Whether a region of indifference changes what is asked."""
        return any(part.uses_margin for part in self.parts)

    @property
    def terms(self) -> tuple[Term, ...]:
        """What the claim speaks of, from left to right."""
        return tuple(term for part in self.parts for term in part.terms)

    @property
    def pairs(self) -> tuple[tuple[Term, Term], ...]:
        """Terms held against each other: what is compared with, then what is compared."""
        return tuple(pair for part in self.parts for pair in part.pairs)

    def __str__(self) -> str:
        places = "".join(f" {one}" for one in (self.at, self.window) if one is not None)
        return " and ".join(map(str, self.parts)) + places
