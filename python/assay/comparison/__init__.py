"""Compares results on the same axes: of two folders, or of a folder and a published table."""

from typing import TYPE_CHECKING

from assay.lazy import lazily

if TYPE_CHECKING:
    from assay.comparison.comparing import (
        BestLevels,
        CellRatio,
        GridComparison,
        ShapeAgreement,
        compare,
    )
    from assay.comparison.grid import Grid, GridAxis, GridFigure
    from assay.comparison.matching import Matched, PairedAxis, match
    from assay.comparison.picture import picture
    from assay.comparison.sources import grid_of, grid_of_table
    from assay.comparison.tables import comparison_tables
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
    "grid_of",
    "grid_of_table",
    "match",
    "picture",
]
