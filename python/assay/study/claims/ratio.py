"""`qps[index=on]/qps[index=off] >= 1000`: how many times as much."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from assay.study.claims.terms import Term
from assay.study.values import level_text


@dataclass(frozen=True)
class RatioClaim:
    """`qps[index=on]/qps[index=off] >= 1000`, or `~ 1.3` for the figure within the margin."""

    numerator: Term
    denominator: Term
    relation: Literal[">", "<", ">=", "<=", "~"]
    value: float

    @property
    def uses_margin(self) -> bool:
        return self.relation == "~"

    @property
    def terms(self) -> tuple[Term, ...]:
        return (self.numerator, self.denominator)

    def with_terms(self, change: Callable[[Term], Term]) -> RatioClaim:
        return replace(self, numerator=change(self.numerator), denominator=change(self.denominator))

    def __str__(self) -> str:
        return f"{self.numerator} / {self.denominator} {self.relation} {level_text(self.value)}"
