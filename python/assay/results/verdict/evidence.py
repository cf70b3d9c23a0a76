"""The type of a decision: a figure with everything that it rests on."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from assay.design.study import Work
from assay.results.stats import (
    MOST_BLOCKS,
    ConfidenceInterval,
    LogSummary,
    blocks_to_reach,
    detectable_at,
    log_summary,
    ratio_of_summaries,
    spread_of,
)
from assay.results.verdict.compared import FEW
from assay.results.verdict.results import GRAVEST_FIRST, DoubtNote, Results, Severity

Obstacle = Literal["few-blocks", "few-operations", "shared-history", "invalid"]
"""What makes an estimate of a decision: too few blocks, a percentile of too few operations, blocks that are
not independent because a server kept its history, and a doubt that bars any verdict.
"""
SHARED = "shared-history"


@dataclass(frozen=True, kw_only=True)
class Decision:
    """A figure that somebody may act on, with everything that it rests on. Nothing has a default: whatever
    advises, compares or passes a change must say all of it.

    `blocks` are those of each side, 0 where nobody knows (a printed figure). `fewest` is what a verdict
    needs. `doubts`: kinds of the doubts about it, each with its severity, notes left out. `low` and `high`
    are the ends over all blocks; `interval` has them only where they may be read as one.
    """

    work: Work
    figure: float
    low: float | None
    high: float | None
    blocks: tuple[int, ...]
    fewest: int
    confidence: float
    doubts: Mapping[str, Severity]

    @property
    def obstacles(self) -> tuple[Obstacle, ...]:
        """What makes an estimate of it; nothing where it may be acted on."""
        found: dict[Obstacle, bool] = {
            "few-blocks": min(self.blocks) < max(self.fewest, 2),
            "few-operations": FEW in self.doubts,
            "shared-history": SHARED in self.doubts,
            "invalid": "invalid" in self.doubts.values(),
        }
        return tuple(name for name, holds in found.items() if holds)

    @property
    def is_firm(self) -> bool:
        """Whether somebody may act on it: it has enough independent blocks, and nothing bars it."""
        return not self.obstacles

    @property
    def interval(self) -> tuple[float, float] | None:
        """The ends of its interval; None where it has none, or is an estimate."""
        if self.low is None or self.high is None or not self.is_firm:
            return None
        return self.low, self.high

    @property
    def _log_sd(self) -> float | None:
        """The spread of the logarithms of single blocks, by the interval of a ratio."""
        blocks = min(self.blocks)
        if self.low is None or self.high is None or blocks < 2 or not 0 < self.low <= self.high < math.inf:
            return None
        return spread_of(math.log(self.high / self.low) / 2, blocks, self.confidence)

    @property
    def smallest_ratio(self) -> float | None:
        """The smallest ratio whose direction such blocks find with probability 0.8: 1.021 is a change of
        2.1 %. None where it is unknown.
        """
        spread = self._log_sd
        return None if spread is None else detectable_at(spread, min(self.blocks), self.confidence)

    def blocks_for(self, ratio: float) -> int | None:
        """Returns how many blocks in all would show a ratio; None where more than 200 would, or nobody
        knows.
        """
        spread = self._log_sd
        return None if spread is None else blocks_to_reach(ratio, spread, self.confidence, MOST_BLOCKS)


@dataclass(frozen=True, kw_only=True)
class Side:
    """One side of a comparison that no block pairs: its values by block, a summary of their logarithms, or
    one printed figure, without blocks. `value` may be missing where there is a summary.
    """

    work: Work
    value: float | None
    blocks: Sequence[float] | LogSummary
    fewest: int
    confidence: float
    doubts: Mapping[str, Severity]

    @property
    def count(self) -> int:
        """How many blocks it has."""
        return self.blocks.n if isinstance(self.blocks, LogSummary) else len(self.blocks)

    @property
    def summary(self) -> LogSummary | None:
        """The logarithms of its values; None where one has none."""
        if isinstance(self.blocks, LogSummary):
            return self.blocks
        values = list(self.blocks) or [self.value or 0.0]
        return log_summary(values) if min(values) > 0 else None


def unpaired_decision(left: Side, right: Side) -> Decision | None:
    """Returns the ratio left / right of two sides that were measured apart; None where it is none, since the
    right is zero or less.
    """
    confidence = max(left.confidence, right.confidence)
    ours, theirs = left.summary, right.summary
    if ours is not None and theirs is not None:
        ratio = ratio_of_summaries(ours, theirs, confidence=confidence)
    elif left.value is not None and right.value is not None and right.value > 0:
        ratio = ConfidenceInterval(left.value / right.value, None, None, 1)
    else:
        return None
    counts = (left.count, right.count)
    is_known = min(counts) > 1  # one run says nothing of its noise
    return Decision(
        work=left.work,
        figure=ratio.value,
        low=ratio.low if is_known else None,
        high=ratio.high if is_known else None,
        blocks=counts,
        fewest=max(left.fewest, right.fewest),
        confidence=confidence,
        doubts=gravest(left.doubts, right.doubts),
    )


def doubts_about(
    results: Results, treatments: Sequence[str], load: float | None = None, measure: str | None = None
) -> dict[str, Severity]:
    """Returns the kinds of warnings and worse about treatments at a load point, or at all, with those about
    the whole study; that a percentile is of too few operations only where the `measure` is that.
    """
    told: dict[str, Severity] = {}
    for one in results.estimates:
        if one.treatment in treatments and load in (None, one.load):
            here = (kind for kind in one.doubts if kind != FEW or one.measure == measure)
            told |= dict.fromkeys(here, "warning")
    notes = [note for note in results.doubts if note.severity != "note"]
    return gravest(told, *({note.kind: note.severity} for note in notes if _is_about_all(note, load)))


def _is_about_all(note: DoubtNote, load: float | None) -> bool:
    return note.run_id is None and (load is None or note.load in (None, load))


def gravest(*of: Mapping[str, Severity]) -> dict[str, Severity]:
    """Returns all kinds of doubts, each with its gravest severity."""
    found: dict[str, Severity] = {}
    for kinds in of:
        for kind, severity in kinds.items():
            found[kind] = min(found.get(kind, severity), severity, key=GRAVEST_FIRST.index)
    return found
