"""`tps[a=4] > tps[a=1]`: one treatment before another; `>=`, `<=`: not behind it by more than the margin."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from assay.study.claims.terms import Term


@dataclass(frozen=True)
class OrderClaim:
    """`tps[a=4] > tps[a=1]`: greater by more than the margin. `>=`: not less by more than the margin."""

    left: Term
    relation: Literal[">", "<", ">=", "<="]
    right: Term

    uses_margin = True

    @property
    def terms(self) -> tuple[Term, ...]:
        return (self.left, self.right)

    def with_terms(self, change: Callable[[Term], Term]) -> OrderClaim:
        return replace(self, left=change(self.left), right=change(self.right))

    def __str__(self) -> str:
        return f"{self.left} {self.relation} {self.right}"
