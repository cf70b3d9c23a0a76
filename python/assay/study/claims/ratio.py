"""`qps[index=on]/qps[index=off] >= 1000`: how many times as much."""

from __future__ import annotations

from dataclasses import dataclass

from assay.study.claims.kind import ClaimKind
from assay.study.claims.reader import ClaimReader, Relation
from assay.study.claims.sides import check_places
from assay.study.claims.terms import Term
from assay.study.measures import comparable
from assay.study.values import level_text


@dataclass(frozen=True)
class RatioClaim(ClaimKind):
    """`qps[index=on]/qps[index=off] >= 1000`, or `~ 1.3` for the figure within the margin."""

    numerator: Term
    denominator: Term
    relation: Relation
    value: float

    @classmethod
    def parse(cls, text: ClaimReader) -> RatioClaim | None:
        numerator = text.term()
        if not text.take("/"):
            return None
        start = text.skip()
        denominator = text.term()
        if not comparable(numerator.measure, denominator.measure):
            text.fail(
                f"a ratio of {numerator.measure} and {denominator.measure}; both need the same measure", start
            )
        if numerator == denominator:
            text.fail("a ratio of a thing to itself", start)
        check_places(text, numerator, denominator, start)
        relation = text.relation()
        at = text.skip()
        if not text.figure_next():
            text.fail("a ratio is compared with a figure, as in 'qps[index=on]/qps[index=off] >= 1000'", at)
        value = text.number()
        if value <= 0:
            text.fail("a ratio is compared with a figure above 0", at)
        return cls(numerator, denominator, relation, value)

    @property
    def uses_margin(self) -> bool:
        return self.relation == "~"

    @property
    def pairs(self) -> tuple[tuple[Term, Term], ...]:
        return ((self.denominator, self.numerator),)

    def __str__(self) -> str:
        return f"{self.numerator} / {self.denominator} {self.relation} {level_text(self.value)}"
