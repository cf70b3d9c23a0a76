"""The doubt that the load generator was near its own ceiling of processor time."""

from __future__ import annotations

from assay.base.doubts.figures import RungFigures
from assay.base.format import limits
from assay.base.format.event import Doubt
from assay.base.wording import counted

LIMIT = limits.GENERATOR_BUSY


def check(figures: RungFigures) -> Doubt | None:
    """Returns a doubt when the generator's event loops were busy nearly all the time."""
    if figures.elapsed_s <= 0 or not figures.threads:
        return None
    used = figures.processor_s / figures.elapsed_s
    if used <= LIMIT * figures.threads:
        return None
    return Doubt(
        kind="generator-busy",
        message=f"the load generator used {used:.2f} processors for its"
        f" {counted(figures.threads, 'event loop')}: it may be the limit, not the server",
        value=used / figures.threads,
        limit=LIMIT,
    )
