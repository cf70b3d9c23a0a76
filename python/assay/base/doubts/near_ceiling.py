"""The doubt that the load came near what its generator reaches at all."""

from __future__ import annotations

from assay.base.doubts.figures import Ceiling, RungFigures
from assay.base.format.event import Doubt

LIMIT = 0.5
"""Share of what generators reach where nothing else limits them, above which they may have affected the
result.
"""


def check(figures: RungFigures) -> Doubt | None:
    """Returns a doubt when the load reached much of the highest rate of its generator."""
    return None if figures.ceiling is None else ceiling_doubt(figures.ceiling)


def ceiling_doubt(ceiling: Ceiling) -> Doubt | None:
    """Returns the doubt of a rate beside its ceiling; None where the rate is far below, or has no ceiling."""
    if ceiling.per_s <= 0:
        return None
    share = ceiling.reached_per_s / ceiling.per_s
    if share <= LIMIT:
        return None
    return Doubt(
        kind="near-ceiling",
        message=f"{ceiling.reached_per_s:,.0f} {ceiling.unit} are {share:.0%} of the {ceiling.per_s:,.0f}"
        f" that {ceiling.reached_by}",
        value=share,
        limit=LIMIT,
    )
