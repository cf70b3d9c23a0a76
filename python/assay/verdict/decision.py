"""The rule that turns an interval into supported, refuted or undecided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from assay.stats.intervals import Interval, mean_interval
from assay.stats.region import Region, place

Floats = NDArray[np.float64]
Outcome = Literal["supported", "refuted", "undecided"]
Relation = Literal[">", "<", ">=", "<=", "~"]


@dataclass(frozen=True)
class Question:
    """`relation` against `region`: for ~ the region itself, for the others the edge that must be passed.

    A strict order between treatments uses the region of indifference (1 ± margin): "greater" must be greater
    by more than makes no difference. A claim with a figure uses it alone: `region.low == region.high`.
    """

    relation: Relation
    region: Region

    @property
    def edge(self) -> Region:
        """What the interval has to clear."""
        if self.relation == "~":
            return self.region
        edge = self.region.high if self.relation in (">", ">=") else self.region.low
        return Region(edge, edge)

    def decide(self, low: float, high: float) -> Outcome:
        """Supported or refuted when the whole interval says so."""
        edge = self.edge
        match self.relation:
            case "~":
                where = place(low, high, edge)
                if where == "inside":
                    return "supported"
                return "undecided" if where == "astride" else "refuted"
            case ">":
                return "supported" if low > edge.high else "refuted" if high <= edge.low else "undecided"
            case ">=":
                return "supported" if low >= edge.high else "refuted" if high < edge.low else "undecided"
            case "<":
                return "supported" if high < edge.low else "refuted" if low >= edge.high else "undecided"
            case "<=":
                return "supported" if high <= edge.low else "refuted" if low > edge.high else "undecided"

    def decide_without_ratio(self, left: Floats, right: Floats, confidence: float) -> Outcome:
        """The same for paired values of which some are zero: left - edge * right against zero."""
        zero = Region(0.0, 0.0)
        if self.relation != "~":
            found = mean_interval(left - self.edge.low * right, confidence)
            return Question(self.relation, zero).decide(*_ends(found))
        least = Question(">=", zero).decide(*_ends(mean_interval(left - self.region.low * right, confidence)))
        most = Question("<=", zero).decide(*_ends(mean_interval(left - self.region.high * right, confidence)))
        return whole([least, most])


def _ends(found: Interval) -> tuple[float, float]:
    """Two or more values always have an interval; one has none and can decide nothing."""
    if found.low is None or found.high is None:
        return float("-inf"), float("inf")
    return found.low, found.high


def whole(outcomes: list[Outcome]) -> Outcome:
    """A claim speaks of all its parts: one refuted part refutes it, one undecided leaves it undecided."""
    if "refuted" in outcomes:
        return "refuted"
    return "supported" if outcomes and set(outcomes) == {"supported"} else "undecided"
