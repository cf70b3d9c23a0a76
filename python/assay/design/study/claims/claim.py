"""A whole claim: its parts, which must all hold, the points at which they hold, and the part of the
window.
"""

from __future__ import annotations

from dataclasses import dataclass

from assay.design.study.claims.axes import At
from assay.design.study.claims.best import BestClaim
from assay.design.study.claims.cause import CauseClaim
from assay.design.study.claims.comparison import ComparisonClaim
from assay.design.study.claims.course import CourseClaim
from assay.design.study.claims.crossover import CrossoverClaim
from assay.design.study.claims.every_run import EveryRunClaim
from assay.design.study.claims.joint import Joint
from assay.design.study.claims.knee import KneeClaim
from assay.design.study.claims.objective import ObjectiveClaim
from assay.design.study.claims.terms import Term
from assay.design.study.claims.windows import Window

ClaimPart = (
    ObjectiveClaim
    | BestClaim
    | KneeClaim
    | CrossoverClaim
    | CauseClaim
    | EveryRunClaim
    | CourseClaim
    | ComparisonClaim
)
"""Every kind, in the order in which a text is tried: the first that knows its form takes it.

Forms that begin with a word of their own stand first, then those that begin with a term, the longer of two
before the shorter. The last complains of what no kind knows.
"""


@dataclass(frozen=True)
class Claim:
    """A claim `part and part at threads < 20 in last 10m`, every part of which must hold there, or with `or`
    at least one. Without a place a part must hold everywhere, without a window all the time.
    """

    parts: tuple[ClaimPart, ...]
    at: At | None = None
    window: Window | None = None
    joined: Joint = "and"

    @property
    def uses_margin(self) -> bool:
        """Whether the outcome depends on a region of indifference."""
        return any(part.uses_margin for part in self.parts)

    @property
    def terms(self) -> tuple[Term, ...]:
        """The claim's terms, from left to right."""
        return tuple(term for part in self.parts for term in part.terms)

    @property
    def pairs(self) -> tuple[tuple[Term, Term], ...]:
        """The pairs of terms that are compared: the baseline first, then the other."""
        return tuple(pair for part in self.parts for pair in part.pairs)

    def __str__(self) -> str:
        places = "".join(f" {one}" for one in (self.at, self.window) if one is not None)
        return f" {self.joined} ".join(map(str, self.parts)) + places
