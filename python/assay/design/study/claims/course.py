"""The claim `mean_ms[index=off] rises over threads`: in which direction a side changes along an axis."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, cast

from assay.design.study.claims.axes import Axis
from assay.design.study.claims.expressions import EXTREME, band, expression
from assay.design.study.claims.kind import ClaimKind
from assay.design.study.claims.ranges import axis_of
from assay.design.study.claims.reader import ClaimReader
from assay.design.study.claims.sides import Band, Difference, Quotient
from assay.design.study.claims.terms import Term

Direction = Literal["rises", "falls", "is flat"]
_DIRECTION = re.compile(r"(?:rises|falls|is\s+flat)\b")


@dataclass(frozen=True)
class CourseClaim(ClaimKind):
    """Claims that a side rises, falls or is flat along the axis. To rise (fall), no step goes the other way
    by more than the margin, and the last point is above (below) the first by more than it, or by the band,
    which is a share of the first. To be flat, all points are the same within the margin. Along `time` it is
    the course within the window of each run.
    """

    side: Term | Quotient | Difference
    direction: Direction
    axis: Axis
    by: Band | None = None

    uses_margin = True

    @classmethod
    def parse(cls, text: ClaimReader) -> CourseClaim | None:
        if text.figure_next() or text.peek(EXTREME):
            return None
        side = expression(text)
        at = text.skip()
        found = text.match(_DIRECTION)
        if found is None:
            return None
        direction = cast(Direction, "is flat" if found.startswith("is") else found)
        axis = axis_of(text, side)
        start = text.skip()
        by = band(text)
        if by is not None and direction == "is flat":
            text.fail('"is flat" is within the margin: a band belongs to rises and falls', start)
        if axis.is_time and not isinstance(side, Term):
            text.fail("a course over time needs one measure, not an expression of several", at)
        return cls(side, direction, axis, by)

    def __str__(self) -> str:
        return f"{self.side} {self.direction} over {self.axis}" + (f" {self.by}" if self.by else "")
