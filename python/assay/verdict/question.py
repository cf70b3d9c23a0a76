"""What a claim with an interval asks: a relation, and the figures that the interval is held against."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from assay.stats import Region, around
from assay.verdict.decision import Contrast, Floats, Side

Relation = Literal[">", "<", ">=", "<=", "~"]

#: Logarithms closer than this are equal: they come from the same figures.
ROUNDING = 1e-12


@dataclass(frozen=True)
class Question:
    """`relation` against `region`, for ~ the region itself, for the others one edge of it.

    An order between treatments uses the region of indifference around 1: "greater" must be greater by more
    than makes no difference, "not less" may be less by as much. A claim with a figure uses it alone: the
    region is that figure.
    """

    relation: Relation
    region: Region
    of_treatments: bool = False

    @property
    def edges(self) -> tuple[tuple[float, Side], ...]:
        """The edges that the interval must clear, and on which side."""
        low, high = self.region.low, self.region.high
        match self.relation:
            case "~":
                return ((low, ">="), (high, "<="))
            case ">" | "<=":
                return ((high, self.relation),)
            case ">=" | "<":
                return ((low, self.relation),)

    @property
    def positive(self) -> bool:
        """Whether logarithms of its edges exist."""
        return all(edge > 0 for edge, _ in self.edges)

    def of_logs(self, logs: Floats) -> tuple[Contrast, ...]:
        """For logarithms of ratios, or of levels; `positive` must hold."""
        return tuple(Contrast(_exact(logs - np.log(edge)), side) for edge, side in self.edges)

    def of_levels(self, values: Floats) -> tuple[Contrast, ...]:
        """For levels of which some have no logarithm."""
        return tuple(Contrast(values - edge, side) for edge, side in self.edges)

    def of_pairs(self, left: Floats, right: Floats) -> tuple[Contrast, ...]:
        """For paired values: of their ratios, or of their differences where some have no ratio."""
        if (left <= 0).any() or (right <= 0).any():
            return self.of_differences(left, right)
        return self.of_logs(np.log(left) - np.log(right))

    def of_differences(self, left: Floats, right: Floats) -> tuple[Contrast, ...]:
        """For paired values of which some are zero or negative: there is no ratio.

        Between treatments, "beyond the margin" is farther apart than that share of the smaller of the two;
        for positive values that is the same thing. With a figure, left / right > f is left - f x right > 0.
        """
        if not self.of_treatments:
            return tuple(Contrast(left - edge * right, side) for edge, side in self.edges)
        allowed = (self.region.high - 1) * np.minimum(np.abs(left), np.abs(right))
        return tuple(
            Contrast(left - right - (allowed if edge == self.region.high else -allowed), side)
            for edge, side in self.edges
        )


def with_figure(relation: Relation, value: float, margin: float) -> Question:
    """Against a figure alone; for ~ against what lies within the margin of it."""
    return Question(relation, around(value, margin) if relation == "~" else Region(value, value))


def _exact(logs: Floats) -> Floats:
    return np.where(np.abs(logs) < ROUNDING, 0.0, logs)
