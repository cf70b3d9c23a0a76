"""Decides whether two results are alike enough to say how their difference looks.

What differs between two results counts as a difference of the treatments, so nothing paired stands behind it:
the words say how it looks, and are no verdict.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from assay.front.web.archive.open_results import OpenResults
from assay.results.stats import around, position
from assay.results.verdict import doubts_about, higher_is_better, is_far

Obstacle = Literal["work", "blocks", "history", "host", "dataset", "workload", "load", "canary"]
Look = Literal["better", "worse", "same", "undecided"]


def obstacles(
    base: OpenResults,
    new: OpenResults,
    facts: tuple[tuple[str, str, str], ...],
    canary: tuple[float | None, float | None],
) -> Iterator[Obstacle]:
    """Yields what withholds the words; an unknown dataset or canary is not an equal one."""
    known = {name: (old, now) for name, old, now in facts}
    if any(one.judged.results.blocks_complete < one.judged.results.gate.fewest for one in (base, new)):
        yield "blocks"
    if any("shared-history" in doubts_about(one.judged.results, ()) for one in (base, new)):
        yield "history"
    if len(base.row.hosts) != 1 or base.row.hosts != new.row.hosts:
        yield "host"
    # The dataset's own id is another one for each build; older results have no other.
    if not any(_agrees(known, name) for name in ("data", "dataset")):
        yield "dataset"
    if not _agrees(known, "workload"):
        yield "workload"
    if base.judged.study.load != new.judged.study.load:
        yield "load"
    if not all(canary) or is_far(*canary):
        yield "canary"


def _agrees(known: Mapping[str, tuple[str, str]], name: str) -> bool:
    old, now = known.get(name, ("", ""))
    return bool(old) and old == now


def look(measure: str, low: float | None, high: float | None, margin: float) -> Look | None:
    """Returns how a ratio looks by its whole interval; None without one."""
    if low is None or high is None:
        return None
    match position(low, high, around(1.0, margin)):
        case "inside":
            return "same"
        case "astride":
            return "undecided"
        case side:
            return "better" if (side == "above") == higher_is_better(measure) else "worse"
