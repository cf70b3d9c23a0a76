"""Figures of loads on files and disks, computed from the engine's results for one job or several together."""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.system.storage.figures import JobFigures, Side, figures_of
    from assay.system.storage.times import PERCENTILES, Times, read_times
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "PERCENTILES",
    "JobFigures",
    "Side",
    "Times",
    "figures_of",
    "read_times",
]
