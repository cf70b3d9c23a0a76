"""Requirements on planted figures (wants), and a solver for figures that meet all of them.

A want measures how far the figures miss it; `settled` moves them until none is missed. In logarithms nearly
every want is a slab of space, and moving to the nearest point of one after the other (Kaczmarz 1937; Agmon
1954) ends at a point of all of them where there is one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from assay.testing.planted.ground import Leaf, Spot

SLOTS = 12
"""Slices of a window that a course within it consists of."""
SD_OF_ONE = math.sqrt(SLOTS / (SLOTS - 1))
"""Standard deviation of slices that lie by turns 1 above and 1 below."""
_SOME = 0.05
_CLOSE, _SWEEPS = 3e-4, 200


@dataclass
class Course:
    """A planted course: its level, the share by which slices swing about it, and its growth (last fifth of
    the window / first).

    Without growth nothing is planted within the window.
    """

    level: float = 100.0
    swing: float = 0.0
    growth: float | None = None


@dataclass
class Figures:
    """The planted figures: a course for each spot, and values that are equal in every run but the last
    block's.
    """

    courses: dict[Spot, Course] = field(default_factory=dict)
    exact: dict[Spot, tuple[float, float]] = field(default_factory=dict)

    def course(self, spot: Spot) -> Course:
        return self.courses.setdefault(spot, Course())

    def value(self, leaf: Leaf) -> float:
        found, summary = self.course(leaf.spot), leaf.term.summary
        if summary is not None and not found.swing:
            found.swing = _SOME
        match summary.statistic if summary else "median":
            case "cv":
                return found.swing * SD_OF_ONE
            case "sd":
                return found.level * found.swing * SD_OF_ONE
            case "max":
                return found.level * (1 + found.swing)
        return found.level

    def scale(self, leaf: Leaf, by: float) -> None:
        """Multiplies the leaf's value by `by`."""
        found, summary = self.course(leaf.spot), leaf.term.summary
        statistic = summary.statistic if summary else "median"
        if statistic in ("cv", "sd"):
            found.swing *= by
        elif statistic == "max" and self.value(leaf) * by > found.level:
            found.swing = self.value(leaf) * by / found.level - 1
        else:
            found.level *= by


class Want(Protocol):
    def missed(self, figures: Figures) -> float:
        """Returns how far the figures are from meeting the want, as a logarithm; 0 where they meet it."""

    def mend(self, figures: Figures) -> None:
        """Changes the figures by as little as meets the want."""


@dataclass(frozen=True)
class Times:
    """The product of some leaves divided by the product of others."""

    over: tuple[Leaf, ...]
    under: tuple[Leaf, ...] = ()

    def value(self, figures: Figures) -> float:
        return math.prod(map(figures.value, self.over)) / math.prod(map(figures.value, self.under))

    def __truediv__(self, other: Times) -> Times:
        return Times((*self.over, *other.under), (*self.under, *other.over))


@dataclass(frozen=True)
class Between:
    """Wants a product to lie between two figures, ends included; `high` may be infinite, `low` 0."""

    of: Times
    low: float
    high: float

    def missed(self, figures: Figures) -> float:
        value = self.of.value(figures)
        return math.log(self.low / value) if value < self.low else math.log(min(self.high / value, 1.0))

    def mend(self, figures: Figures) -> None:
        share = math.exp(self.missed(figures) / (len(self.of.over) + len(self.of.under)))
        for leaf in self.of.over:
            figures.scale(leaf, share)
        for leaf in self.of.under:
            figures.scale(leaf, 1 / share)


@dataclass(frozen=True)
class Apart:
    """Wants the difference of two products to lie between two figures, of which the lower is above 0."""

    left: Times
    right: Times
    low: float
    high: float

    def missed(self, figures: Figures) -> float:
        gap = self.left.value(figures) - self.right.value(figures)
        if gap <= 0:
            return 1.0
        return math.log(self.low / gap) if gap < self.low else math.log(min(self.high / gap, 1.0))

    def mend(self, figures: Figures) -> None:
        """Multiplies both sides by the same factor, which keeps their ratio, since that may be wanted too."""
        left, right = self.left.value(figures), self.right.value(figures)
        if left <= right:
            for leaf in self.left.over:
                figures.scale(leaf, 1.5 * right / left)
        share = math.exp(self.missed(figures))
        for leaf in dict.fromkeys((*self.left.over, *self.right.over)):
            figures.scale(leaf, share)


@dataclass(frozen=True)
class Grows:
    """Wants a measure to be larger by a factor in the last fifth of the window than in the first."""

    spot: Spot
    times: float

    def missed(self, figures: Figures) -> float:
        growth = figures.course(self.spot).growth
        return 1.0 if growth is None else math.log(self.times / growth)

    def mend(self, figures: Figures) -> None:
        figures.course(self.spot).growth = self.times


@dataclass(frozen=True)
class Exactly:
    """Wants an exact figure in every run, and another one in the last block."""

    spot: Spot
    value: float
    last: float

    def missed(self, figures: Figures) -> float:
        return float(figures.exact.get(self.spot) != (self.value, self.last))

    def mend(self, figures: Figures) -> None:
        figures.exact[self.spot] = (self.value, self.last)


def settled(wants: Sequence[Want]) -> Figures | None:
    """Returns figures that meet all wants; None where the wants contradict each other."""
    figures = Figures()
    for _ in range(_SWEEPS):
        missed = False
        for want in wants:
            if abs(want.missed(figures)) > _CLOSE:
                want.mend(figures)
                missed = True
        if not missed:
            return figures
    return None
