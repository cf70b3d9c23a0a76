"""The rule that turns intervals into supported, refuted or undecided."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from assay.stats.intervals import mean_interval
from assay.stats.planning import more_blocks

Floats = NDArray[np.float64]
Outcome = Literal["supported", "refuted", "undecided"]
Side = Literal[">", "<", ">=", "<="]


@dataclass(frozen=True)
class Contrast:
    """Something a claim asserts: the mean of `values`, one a block, lies on this side of zero."""

    values: Floats
    side: Side

    def decide(self, confidence: float) -> Outcome:
        """Supported or refuted when the whole interval says so. One value can decide nothing."""
        found = mean_interval(self.values, confidence)
        if found.low is None or found.high is None:
            return "undecided"
        low, high = found.low, found.high
        match self.side:
            case ">":
                return "supported" if low > 0 else "refuted" if high <= 0 else "undecided"
            case ">=":
                return "supported" if low >= 0 else "refuted" if high < 0 else "undecided"
            case "<":
                return "supported" if high < 0 else "refuted" if low >= 0 else "undecided"
            case "<=":
                return "supported" if high <= 0 else "refuted" if low > 0 else "undecided"

    @property
    def against(self) -> bool:
        """Whether the mean alone speaks against the claim."""
        mean = float(self.values.mean())
        return mean < 0 if self.side.startswith(">") else mean > 0

    def blocks_to_go(self, confidence: float, fewest: int) -> int | None:
        """How many more blocks would probably settle it; None: more than 200 in all."""
        n = self.values.size
        sd = float(self.values.std(ddof=1)) if n > 1 else 0.0
        if sd == 0:
            return max(fewest - n, 1)
        return more_blocks(float(self.values.mean()), sd, n, confidence, fewest=fewest)


def all_of(contrasts: Sequence[Contrast], confidence: float) -> Outcome:
    """What is asserted together: one that fails refutes it, one that is open leaves it open."""
    return whole([one.decide(confidence) for one in contrasts])


def whole(outcomes: Sequence[Outcome]) -> Outcome:
    """A claim speaks of all its parts: supported when every one is, each at the full level, and none failed.

    That is an intersection-union test: it needs no correction for the number of parts.
    """
    if "refuted" in outcomes:
        return "refuted"
    return "supported" if outcomes and set(outcomes) == {"supported"} else "undecided"


def refuted_together(parts: Sequence[Callable[[float], Outcome]], confidence: float) -> frozenset[int]:
    """Which parts are refuted when all are looked at: Holm's (1979) step-down on the level.

    A claim falls with one of its parts, so each of m parts would be a chance to refute it wrongly. The first
    must be refuted at (1 - confidence) / m, what is left at (1 - confidence) / (m - 1), and so on.
    """
    refuted: set[int] = set()
    while len(refuted) < len(parts):
        level = corrected(confidence, len(parts) - len(refuted))
        more = {
            number
            for number, decide in enumerate(parts)
            if number not in refuted and decide(level) == "refuted"
        }
        if not more:
            break
        refuted |= more
    return frozenset(refuted)


def corrected(confidence: float, parts: int) -> float:
    """The confidence of each so that all of `parts` together have the one asked for (Bonferroni)."""
    return 1 - (1 - confidence) / parts
