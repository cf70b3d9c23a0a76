"""The doubt of starvation: a connection, or a terminal, that was served far less than the others."""

from __future__ import annotations

from assay.base.doubts.figures import RungFigures
from assay.base.format import limits
from assay.base.format.event import Doubt
from assay.base.wording import counted

LIMIT, FROM = limits.STARVED, limits.STARVED_FROM


def check(figures: RungFigures) -> Doubt | None:
    """Returns a doubt when some connection or terminal did far fewer transactions than the mean."""
    served = figures.served
    if served is None or served.mean < FROM or served.least >= LIMIT * served.mean:
        return None
    fewest = counted(int(served.least), "transaction")
    return Doubt(
        kind=f"starved-{served.who}",
        message=f"a {served.who} was starved: {fewest} where the mean is {served.mean:.0f}",
        value=served.least / served.mean,
        limit=LIMIT,
    )
