"""Doubts that the figures of one load point raise: the same for a measurement, the live page, a fleet and a
report.

A doubt is a file with a function on `RungFigures`, and its place in `CHECKS` of `checks.py`. Its limit stands
in its file. Who knows figures fills in the record: `figures_of` from a result, the live page from its sums, a
report from the store. What nobody has filled in raises nothing.
"""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.base.doubts.checks import CHECKS, doubts_of, unsaid_doubts
    from assay.base.doubts.figures import Ceiling, RungFigures, Served, Statements
    from assay.base.doubts.near_ceiling import ceiling_doubt
    from assay.base.doubts.of_result import figures_of, statements_of
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "CHECKS",
    "Ceiling",
    "RungFigures",
    "Served",
    "Statements",
    "ceiling_doubt",
    "doubts_of",
    "figures_of",
    "statements_of",
    "unsaid_doubts",
]
