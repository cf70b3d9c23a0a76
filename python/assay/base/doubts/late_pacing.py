"""The doubt of late pacing: a generator that starts arrivals late measures itself."""

from __future__ import annotations

from assay.base.doubts.figures import RungFigures
from assay.base.format.event import Doubt

LIMIT = 1.0
"""Milliseconds of lateness of starting arrivals, at its 99th percentile, beyond which pacing is doubted."""


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
