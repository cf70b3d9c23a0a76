"""`p95_ms[a=4] < 20 ms`: a measure against a figure, as a mean over blocks."""

from __future__ import annotations

from dataclasses import dataclass

from assay.study.claims.kind import ClaimKind
from assay.study.claims.reader import ClaimReader, Relation
from assay.study.claims.terms import Term
from assay.study.values import level_text


@dataclass(frozen=True)
class LevelClaim(ClaimKind):
    """`p95_ms[a=4] < 20 ms`; `value` is in the measure's own unit (MEASURES)."""

    term: Term
    relation: Relation
    value: float

    @classmethod
    def parse(cls, text: ClaimReader) -> LevelClaim | None:
        term = text.term()
        if not text.relation_next():
            return None
        relation = text.relation()
        return cls(term, relation, text.figure(term)) if text.figure_next() else None

    @property
    def uses_margin(self) -> bool:
        return self.relation == "~"

    def __str__(self) -> str:
        return f"{self.term} {self.relation} {level_text(self.value)}"
