"""The doubt that a generator built in a hurry took from the server what one for measuring would have left."""

from __future__ import annotations

from assay.base.doubts.figures import RungFigures
from assay.base.format.event import Doubt

BUILD = "quick"
"""The name of the build, as the engine gives it in its first event."""
COST = 1.8
"""Processor time of a query with that build over that with the profile-guided one, at most: the highest of 20
pairs against the null server (point selects at 1 and 64 connections, transactions of reads and writes at 16;
medians 1.2 to 1.5).
"""
LIMIT = 0.05
"""Share of the machine that a build for measuring would have left to the server, beyond which figures of a
quick one are doubted.
"""


def check(figures: RungFigures) -> Doubt | None:
    """Returns a doubt when a quick build of the generator used so much of the machine that the one for
    measuring would have left the server a part that counts.
    """
    if figures.build != BUILD or figures.elapsed_s <= 0 or not figures.cores:
        return None
    used = figures.processor_s / figures.elapsed_s
    more = used * (1 - 1 / COST) / figures.cores
    if more <= LIMIT:
        return None
    return Doubt(
        kind="quick-build",
        message=f"the load generator is a quick build and used {used:.2f} of the machine's {figures.cores}"
        f" cores: the build for measuring would have left up to {more:.0%} of the machine more to the server",
        value=more,
        limit=LIMIT,
    )
