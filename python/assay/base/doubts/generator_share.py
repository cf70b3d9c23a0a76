"""The doubt that the load generator took from the server what the server would have used."""

from __future__ import annotations

from assay.base.doubts import generator_busy
from assay.base.doubts.figures import RungFigures
from assay.base.format.event import Doubt

LIMIT = 0.5
"""Share of the machine beyond which the generator takes from the server what the server would use."""


def check(figures: RungFigures) -> Doubt | None:
    """Returns a doubt when the generator used much of the machine; a busy generator has its own doubt."""
    if figures.elapsed_s <= 0 or not figures.cores or generator_busy.check(figures) is not None:
        return None
    used = figures.processor_s / figures.elapsed_s
    if used <= LIMIT * figures.cores:
        return None
    return Doubt(
        kind="generator-share",
        message=f"the load generator used {used:.2f} of the machine's {figures.cores} cores, which the server"
        " did not get",
        value=used / figures.cores,
        limit=LIMIT,
    )
