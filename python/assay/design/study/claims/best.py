"""The claim `best tps over innodb_io_capacity = 2000..8000`: which point of an axis has the best value."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, cast

from assay.design.study.claims.axes import Axis, Between, Beyond, OneOf, Range
from assay.design.study.claims.kind import ClaimKind
from assay.design.study.claims.ranges import axis_of, range_of
from assay.design.study.claims.reader import ClaimReader
from assay.design.study.claims.terms import Term

End = Literal["inside", "first", "last"]
_BEST = re.compile(r"(?:best|worst)\b")
_NOT = re.compile(r"!=")
_IS = re.compile(r"is\b")
_END = re.compile(r"(?:inside|first|last)\b")


@dataclass(frozen=True)
class BestClaim(ClaimKind):
    """Claims that the best (worst) point of the axis lies in the range: some point in it beats every point
    outside. With `!=` the best point lies outside.

    `first` and `last` are the ends of the axis, in order where its levels have one, otherwise as the study
    lists them; `inside` is neither. Best depends on the measure: more throughput, less latency.
    """

    word: Literal["best", "worst"]
    term: Term
    axis: Axis
    where: Range | End
    negated: bool = False

    uses_margin = False

    @classmethod
    def parse(cls, text: ClaimReader) -> BestClaim | None:
        word = text.match(_BEST)
        if word is None:
            return None
        term = text.term()
        axis = axis_of(text, term)
        if axis.is_time:
            text.fail("a best point is one of the load or of a factor, not of time", text.at)
        where: Range | End
        negated = text.match(_NOT) is not None
        if not negated and text.match(_IS):
            at = text.skip()
            end = text.match(_END)
            if end is None:
                text.fail('expected "inside", "first" or "last"', at)
            where = cast(End, end)
        else:
            where = range_of(text, after_equals=negated)
        return cls(cast(Literal["best", "worst"], word), term, axis, where, negated)

    def __str__(self) -> str:
        said = f"{self.word} {self.term} over {self.axis}"
        match self.where:
            case OneOf() | Between():
                return f"{said} {'!=' if self.negated else '='} {self.where}"
            case Beyond():
                return f"{said} {self.where}"
        return f"{said} is {self.where}"
