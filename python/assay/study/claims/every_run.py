"""`lost_commits = 0 in every run`: what must not happen once, whatever the mean."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from assay.study.claims.terms import Term
from assay.study.values import level_text


@dataclass(frozen=True)
class EveryRunClaim:
    """`lost_commits = 0 in every run`: one run that is otherwise refutes it."""

    term: Term
    relation: Literal["=", ">", "<", ">=", "<="]
    value: float

    uses_margin = False

    @property
    def terms(self) -> tuple[Term, ...]:
        return (self.term,)

    def with_terms(self, change: Callable[[Term], Term]) -> EveryRunClaim:
        return replace(self, term=change(self.term))

    def __str__(self) -> str:
        return f"{self.term} {self.relation} {level_text(self.value)} in every run"
