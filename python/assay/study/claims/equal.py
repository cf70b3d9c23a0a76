"""`tps[a=4] ~ tps[a=1]`: the same within the margin."""

from __future__ import annotations

from dataclasses import dataclass

from assay.study.claims.kind import ClaimKind
from assay.study.claims.reader import ClaimReader
from assay.study.claims.sides import both_sides
from assay.study.claims.terms import Term


@dataclass(frozen=True)
class EqualClaim(ClaimKind):
    """`tps[a=4] ~ tps[a=1]`: the same within the margin."""

    left: Term
    right: Term

    uses_margin = True

    @classmethod
    def parse(cls, text: ClaimReader) -> EqualClaim | None:
        left, relation, right = both_sides(text)
        return cls(left, right) if relation == "~" else None

    @property
    def pairs(self) -> tuple[tuple[Term, Term], ...]:
        return ((self.left, self.right),)

    def __str__(self) -> str:
        return f"{self.left} ~ {self.right}"
