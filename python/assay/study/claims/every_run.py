"""The claim `lost_commits = 0 in every run`: what must hold in each run, whatever the mean."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, cast

from assay.study.claims.axes import Order
from assay.study.claims.expressions import EXTREME
from assay.study.claims.kind import ClaimKind
from assay.study.claims.reader import EVERY_RUN, MEASURE, ClaimReader
from assay.study.claims.terms import Term
from assay.study.measures import unit_of
from assay.study.values import level_text

_EXACTLY = re.compile(r"=\s*(?=[+-]?\d)(?!" + MEASURE.pattern + ")")


@dataclass(frozen=True)
class EveryRunClaim(ClaimKind):
    """Claims that a measure has a value in every run; a single run with another value refutes it."""

    term: Term
    relation: Literal["=", ">", "<", ">=", "<="]
    value: float

    uses_margin = False

    @classmethod
    def parse(cls, text: ClaimReader) -> EveryRunClaim | None:
        if not text.peek(MEASURE) or text.peek(EXTREME):
            return None
        term = text.term()
        unit = unit_of(term.measure)
        start = text.skip()
        if text.match(_EXACTLY):
            value = text.figure(term.measure, unit)
            if not text.match(EVERY_RUN):
                text.fail(
                    '"=" needs "in every run" after its figure; for "the same within the margin" write ~',
                    start,
                )
            return cls(term, "=", value)
        if not text.relation_next():
            return None
        relation = text.relation()
        if not text.figure_next():
            return None
        value = text.figure(term.measure, unit)
        if not text.match(EVERY_RUN):
            return None
        if relation in ("~", "!~"):
            text.fail(f'"{relation}" has no meaning in every run: write =, >, <, >= or <=', start)
        return cls(term, cast(Order, relation), value)

    def __str__(self) -> str:
        return f"{self.term} {self.relation} {level_text(self.value)} in every run"
