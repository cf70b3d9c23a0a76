"""The claim `knee qps over threads = 64..128`: the point beyond which little more is gained, or much is
lost.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, cast

from assay.design.study.claims.axes import Axis, Beyond, Order, Range
from assay.design.study.claims.kind import ClaimKind
from assay.design.study.claims.ranges import axis_of, bound, range_of
from assay.design.study.claims.reader import ClaimReader
from assay.design.study.claims.terms import Term
from assay.design.study.values import level_text

_BEND = re.compile(r"(?:knee|collapse)\b")
_PERCENT = re.compile(r"%")
USUAL = {"knee": 95.0, "collapse": 10.0}
"""Default percentages of a claim: of the best value that is reached, and that is lost again."""


@dataclass(frozen=True)
class Bend:
    """A knee or collapse of a curve, located between two neighbouring points.

    `knee 95 %`: the first point that has 95 % of the best. `collapse 10 %`: the first after the best that has
    lost 10 % of it.
    """

    word: Literal["knee", "collapse"]
    percent: float
    term: Term
    axis: Axis

    def __str__(self) -> str:
        return f"{self.word} {level_text(self.percent)} % {self.term} over {self.axis}"


@dataclass(frozen=True)
class KneeClaim(ClaimKind):
    """Claims that the bend lies in a range (`where` is one), or before, after or at another bend
    (`relation`).
    """

    bend: Bend
    relation: Literal["=", ">", "<", ">=", "<=", "~"]
    where: Range | Bend

    uses_margin = False

    @classmethod
    def parse(cls, text: ClaimReader) -> KneeClaim | None:
        if not text.peek(_BEND):
            return None
        bend = _bend(text)
        if text.take("~"):
            return cls(bend, "~", _other(text, bend))
        at = text.skip()
        if text.relation_next() and not text.text.startswith("=", at):
            relation = cast(Order, text.relation())
            if text.peek(_BEND):
                return cls(bend, relation, _other(text, bend))
            return cls(bend, "=", Beyond(relation, bound(text)))
        return cls(bend, "=", range_of(text))

    def __str__(self) -> str:
        relation = "" if isinstance(self.where, Beyond) else f" {self.relation}"
        return f"{self.bend}{relation} {self.where}"


def _bend(text: ClaimReader) -> Bend:
    word = cast(Literal["knee", "collapse"], text.match(_BEND))
    percent = USUAL[word]
    at = text.skip()
    if text.figure_next():
        percent = text.number()
        if not text.match(_PERCENT) or not 0 < percent < 100:
            text.fail(f"expected a share of the best, as in {word} {USUAL[word]:g} %", at)
    term = text.term()
    axis = axis_of(text, term)
    if axis.is_time:
        text.fail(f"a {word} is one of the load or of a factor, not of time", text.at)
    return Bend(word, percent, term, axis)


def _other(text: ClaimReader, bend: Bend) -> Bend:
    at = text.skip()
    if not text.peek(_BEND):
        text.fail('"~" needs a knee on both sides; for a range of points write "= 16..32"', at)
    other = _bend(text)
    if other == bend:
        text.fail("both sides are the same", at)
    if other.axis != bend.axis:
        text.fail(f"a point of {other.axis} cannot be compared with one of {bend.axis}", at)
    return other
