"""`tps[a=4] > tps[a=1]`: one treatment before another; `>=`, `<=`: not behind it by more than the margin."""

from __future__ import annotations

from dataclasses import dataclass

from assay.study.claims.kind import ClaimKind
from assay.study.claims.reader import ClaimReader, Order
from assay.study.claims.sides import both_sides
from assay.study.claims.terms import Term


@dataclass(frozen=True)
class OrderClaim(ClaimKind):
    """`tps[a=4] > tps[a=1]`: greater by more than the margin. `>=`: not less by more than the margin."""

    left: Term
    relation: Order
    right: Term

    uses_margin = True

    @classmethod
    def parse(cls, text: ClaimReader) -> OrderClaim | None:
        left, relation, right = both_sides(text)
        return None if relation == "~" else cls(left, relation, right)

    @property
    def pairs(self) -> tuple[tuple[Term, Term], ...]:
        return ((self.right, self.left),)

    def __str__(self) -> str:
        return f"{self.left} {self.relation} {self.right}"
