"""Decides whether two results are alike enough to say how their difference looks.

What differs between two results counts as a difference of the treatments, so nothing paired stands behind it:
the words say how it looks, and are no verdict.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from assay.design.study import Choice, Conditions, forbidding
from assay.front.web.archive.open_results import OpenResults
from assay.results.stats import around, position
from assay.results.verdict import doubts_about, higher_is_better

Look = Literal["better", "worse", "same", "undecided"]

_KNOWN = frozenset({"host", "data", "workload", "canary"})
OF_LOOKS = Choice(
    forbids=_KNOWN | {"work", "load", "engine"},
    studied=frozenset({"server", "server_flavour", "server_version", "server_sha256", "variables"}),
    known=_KNOWN,
)
"""Two results may differ in the server and its settings, which are what somebody compares."""


def obstacles(base: OpenResults, new: OpenResults, before: Conditions, after: Conditions) -> Iterator[str]:
    """Yields what withholds the words, each once: what the conditions of both forbid, and blocks that show
    nothing.
    """
    sides = (base.judged.results, new.judged.results)
    if any(one.blocks_complete < one.gate.fewest for one in sides):
        yield "blocks"
    if any("shared-history" in doubts_about(one, ()) for one in sides):
        yield "history"
    yield from dict.fromkeys(one.part for one in forbidding(before, after, OF_LOOKS))


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
