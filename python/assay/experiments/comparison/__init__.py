"""Compares results on the same axes: of two folders, or of a folder and a table of a published
report; `published` has the reports.
"""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.experiments.comparison import published
    from assay.experiments.comparison.comparing import (
        BestLevels,
        CellRatio,
        GridComparison,
        ShapeAgreement,
        compare,
    )
    from assay.experiments.comparison.grid import Grid, GridAxis, GridFigure
    from assay.experiments.comparison.matching import Matched, PairedAxis, match
    from assay.experiments.comparison.picture import picture
    from assay.experiments.comparison.sources import grid_of, grid_of_table, repeated_table, tables_of_study
    from assay.experiments.comparison.tables import comparison_tables, doubts_text, estimates, unlike_table
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "BestLevels",
    "CellRatio",
    "Grid",
    "GridAxis",
    "GridComparison",
    "GridFigure",
    "Matched",
    "PairedAxis",
    "ShapeAgreement",
    "compare",
    "comparison_tables",
    "doubts_text",
    "estimates",
    "grid_of",
    "grid_of_table",
    "match",
    "picture",
    "published",
    "repeated_table",
    "tables_of_study",
    "unlike_table",
]
