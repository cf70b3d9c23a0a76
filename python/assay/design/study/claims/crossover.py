"""The claim `crossover qps[use=a], qps[use=b] over threads = 68..240`: where the second overtakes the
first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from assay.design.study.claims.axes import Axis, Beyond, Range
from assay.design.study.claims.expressions import check_sides
from assay.design.study.claims.kind import ClaimKind
from assay.design.study.claims.ranges import axis_of, range_of
from assay.design.study.claims.reader import ClaimReader
from assay.design.study.claims.terms import Term

_CROSSOVER = re.compile(r"crossover\b")


@dataclass(frozen=True)
class CrossoverClaim(ClaimKind):
    """Claims that the first surely leads at some point before the range, the second after it, and never the
    other way round. To lead means to have the larger value, whatever the measure.
    """

    first: Term
    second: Term
    axis: Axis
    where: Range

    uses_margin = False

    @classmethod
    def parse(cls, text: ClaimReader) -> CrossoverClaim | None:
        if not text.match(_CROSSOVER):
            return None
        first = text.term()
        text.expect(",", 'expected a "," and the term that overtakes')
        at = text.skip()
        second = text.term()
        check_sides(text, first, second, at)
        axis = axis_of(text, first, second)
        if axis.is_time:
            text.fail("a crossover is one of the load or of a factor, not of time", text.at)
        return cls(first, second, axis, range_of(text))

    @property
    def pairs(self) -> tuple[tuple[Term, Term], ...]:
        return ((self.first, self.second),)

    def __str__(self) -> str:
        equals = "" if isinstance(self.where, Beyond) else " ="
        return f"crossover {self.first}, {self.second} over {self.axis}{equals} {self.where}"
