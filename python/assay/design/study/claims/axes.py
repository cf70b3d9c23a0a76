"""The axes and ranges of a claim: `over threads = 16..32`, `at threads >= 16`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from assay.design.study.claims.terms import LADDERS, bare
from assay.design.study.claims.windows import Window as Window
from assay.design.study.values import Scalar, level_text, parse_size_bytes

Level = TypeVar("Level", bound=Scalar)
Order = Literal[">", "<", ">=", "<="]

TIME = "time"


@dataclass(frozen=True)
class Axis:
    """An axis of a claim: the load (`threads`, `rate`, `iodepth`), a factor by its name, or `time`."""

    name: str

    @property
    def is_load(self) -> bool:
        return self.name in LADDERS

    @property
    def is_time(self) -> bool:
        return self.name == TIME

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Between:
    """The range `16..32`: from one point to the other, both included."""

    low: Scalar
    high: Scalar

    def __str__(self) -> str:
        return f"{level_text(self.low)}..{level_text(self.high)}"


@dataclass(frozen=True)
class Beyond:
    """The range `>= 16`: everything on one side of a point."""

    relation: Order
    edge: Scalar

    def __str__(self) -> str:
        return f"{self.relation} {level_text(self.edge)}"


@dataclass(frozen=True)
class OneOf:
    """The range `64`, `64|128` or `none|mq-deadline`: exactly these points."""

    points: tuple[Scalar, ...]

    def __str__(self) -> str:
        return "|".join(bare(point) for point in self.points)


Range = Between | Beyond | OneOf


@dataclass(frozen=True)
class At:
    """The place of a claim: `at threads < 20` holds at each of these points, `at some threads < 20` at least
    at one.
    """

    axis: Axis
    where: Range
    some: bool = False

    def __str__(self) -> str:
        equals = "" if isinstance(self.where, Beyond) else "= "
        return f"at {'some ' if self.some else ''}{self.axis} {equals}{self.where}"


def position(level: Scalar) -> float | None:
    """Returns where a level stands among others: a number, the bytes of a size (`512M`), or None for a level
    without an order.
    """
    if isinstance(level, bool):
        return None
    if isinstance(level, int | float):
        return float(level)
    try:
        return float(level)
    except ValueError:
        pass
    try:
        return float(parse_size_bytes(level))
    except ValueError:
        return None


def ordered(levels: Sequence[Scalar]) -> bool:
    """Returns whether levels have an order other than that of the study file."""
    return all(position(level) is not None for level in levels)


def within(where: Range, levels: Sequence[Level]) -> tuple[Level, ...]:
    """Returns the levels in a range, in the order of the axis."""
    if isinstance(where, OneOf):
        texts = {level_text(point) for point in where.points}
        places = {position(point) for point in where.points} - {None}
        return tuple(level for level in levels if level_text(level) in texts or position(level) in places)
    return tuple(level for level in levels if (at := position(level)) is not None and holds(where, at))


def holds(where: Range, at: float) -> bool:
    """Returns whether a point lies in the range."""
    match where:
        case OneOf():
            return any(position(point) == at for point in where.points)
        case Between():
            low, high = position(where.low), position(where.high)
            return low is not None and high is not None and low <= at <= high
        case Beyond():
            edge = position(where.edge)
            if edge is None:
                return False
            return {">": at > edge, "<": at < edge, ">=": at >= edge, "<=": at <= edge}[where.relation]
