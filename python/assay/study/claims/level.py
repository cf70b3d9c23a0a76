"""`p95_ms[a=4] < 20 ms`: a measure against a figure, as a mean over blocks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from assay.study.claims.terms import Term
from assay.study.values import level_text


@dataclass(frozen=True)
class LevelClaim:
    """`p95_ms[a=4] < 20 ms`; `value` is in the measure's own unit (MEASURES)."""

    term: Term
    relation: Literal[">", "<", ">=", "<=", "~"]
    value: float

    @property
    def uses_margin(self) -> bool:
        return self.relation == "~"

    @property
    def terms(self) -> tuple[Term, ...]:
        return (self.term,)

    def with_terms(self, change: Callable[[Term], Term]) -> LevelClaim:
        return replace(self, term=change(self.term))

    def __str__(self) -> str:
        return f"{self.term} {self.relation} {level_text(self.value)}"
