"""The doubt that a warm-up that waited for level throughput ended at its limit."""

from __future__ import annotations

from assay.base.doubts.figures import RungFigures
from assay.base.format.event import Doubt


def check(figures: RungFigures) -> Doubt | None:
    """Returns a doubt when throughput was still changing when the longest warm-up ended."""
    if figures.is_steady is not False:
        return None
    return Doubt(
        kind="not-steady",
        message="the steady state was not reached: throughput was still changing when the longest warm-up"
        " ended",
        value=0.0,
        limit=1.0,
    )
