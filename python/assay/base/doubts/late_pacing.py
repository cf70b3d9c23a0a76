"""The doubt of late pacing: a generator that starts arrivals late measures itself."""

from __future__ import annotations

from assay.base.doubts.figures import RungFigures
from assay.base.format import limits
from assay.base.format.event import Doubt

LIMIT = limits.LATE_PACING_NS / 1e6
"""Milliseconds."""


def check(figures: RungFigures) -> Doubt | None:
    """Returns a doubt when the generator itself started arrivals late."""
    if figures.late_ms is None or figures.late_ms <= LIMIT:
        return None
    return Doubt(
        kind="late-pacing",
        message="the load generator itself started 1 % of the arrivals at least"
        f" {figures.late_ms:.1f} ms late, although it had room",
        value=figures.late_ms,
        limit=LIMIT,
    )
