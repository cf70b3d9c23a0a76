"""`tps[a=4] ~ tps[a=1]`: the same within the margin."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from assay.study.claims.terms import Term


@dataclass(frozen=True)
class EqualClaim:
    """`tps[a=4] ~ tps[a=1]`: the same within the margin."""

    left: Term
    right: Term

    uses_margin = True

    @property
    def terms(self) -> tuple[Term, ...]:
        return (self.left, self.right)

    def with_terms(self, change: Callable[[Term], Term]) -> EqualClaim:
        return replace(self, left=change(self.left), right=change(self.right))

    def __str__(self) -> str:
        return f"{self.left} ~ {self.right}"
