"""The question that a claim asks of an interval: a relation, and the figures to compare it with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from assay.results.stats import Region, around
from assay.results.verdict.answers import NotBeyond
from assay.results.verdict.decision import Contrast, Floats, Outcome, Side

Relation = Literal[">", "<", ">=", "<=", "~"]

_WITHIN_MARGIN: dict[tuple[Relation, Outcome], Literal["not-more", "not-less"]] = {
    (">=", "supported"): "not-less",
    ("<", "refuted"): "not-less",
    ("<=", "supported"): "not-more",
    (">", "refuted"): "not-more",
}

#: Logarithms closer than this are equal: they come from the same figures.
ROUNDING = 1e-12


@dataclass(frozen=True)
class Question:
    """A `relation` with a `region`: `~` asks about the region itself, any other relation about one edge of
    it.

    An order between treatments uses the region of indifference around 1: "greater" must be greater by more
    than makes no difference, "not less" may be less by as much. A claim with a figure uses it alone: the
    region is that figure.
    """

    relation: Relation
    region: Region
    of_treatments: bool = False

    @property
    def edges(self) -> tuple[tuple[float, Side], ...]:
        """The edges that the interval must clear, each with the side on which it must lie."""
        low, high = self.region.low, self.region.high
        match self.relation:
            case "~":
                return ((low, ">="), (high, "<="))
            case ">" | "<=":
                return ((high, self.relation),)
            case ">=" | "<":
                return ((low, self.relation),)

    def says(self, outcome: Outcome, ratio: tuple[float | None, float | None]) -> NotBeyond | None:
        """Returns what an outcome says of two treatments whose formula reads like more: "not less" may be
        less by the margin, and what is not greater beyond it may be greater. `ratio`: the ends of its
        interval; None where the figures bear the formula out as it reads.
        """
        said = _WITHIN_MARGIN.get((self.relation, outcome))
        if not self.of_treatments or said is None:
            return None
        low, high = ratio
        is_plain = {
            "not-less": low is not None and low >= 1,
            "not-more": high is not None and high <= 1,
        }[said]
        return None if is_plain else NotBeyond(said, round(self.region.high - 1, 9))

    @property
    def positive(self) -> bool:
        """Whether all edges are positive, so that they have logarithms."""
        return all(edge > 0 for edge, _ in self.edges)

    def of_logs(self, logs: Floats) -> tuple[Contrast, ...]:
        """Returns the contrasts for logarithms of ratios, or of levels; `positive` must hold."""
        return tuple(Contrast(_exact(logs - np.log(edge)), side) for edge, side in self.edges)

    def of_levels(self, values: Floats) -> tuple[Contrast, ...]:
        """Returns the contrasts for levels of which some have no logarithm."""
        return tuple(Contrast(values - edge, side) for edge, side in self.edges)

    def of_pairs(self, left: Floats, right: Floats) -> tuple[Contrast, ...]:
        """Returns the contrasts for paired values: of their ratios, or of their differences where some have
        no ratio.
        """
        if not self.positive or (left <= 0).any() or (right <= 0).any():
            return self.of_differences(left, right)
        return self.of_logs(np.log(left) - np.log(right))

    def of_differences(self, left: Floats, right: Floats) -> tuple[Contrast, ...]:
        """Returns the contrasts for paired values of which some are zero or negative, so that there is no
        ratio.

        Between treatments, "beyond the margin" means a difference of more than that share of the smaller of
        the two; for positive values that is the same as the ratio. With a figure, left / right > f becomes
        left - f × right > 0.
        """
        if not self.of_treatments:
            return tuple(Contrast(left - edge * right, side) for edge, side in self.edges)
        allowed = (self.region.high - 1) * np.minimum(np.abs(left), np.abs(right))
        return tuple(
            Contrast(left - right - (allowed if edge == self.region.high else -allowed), side)
            for edge, side in self.edges
        )


def with_figure(relation: Relation, value: float, margin: float) -> Question:
    """Returns the question about a figure alone; for ~ about the region within the margin of it."""
    return Question(relation, around(value, margin) if relation == "~" else Region(value, value))


def _exact(logs: Floats) -> Floats:
    return np.where(np.abs(logs) < ROUNDING, 0.0, logs)
