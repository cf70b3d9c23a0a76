"""Five published reports: their tables, claims and charts as data, and what became of their claims here."""

from typing import TYPE_CHECKING

from assay.lazy import lazily

if TYPE_CHECKING:
    from assay.published.drawing import charts_of, draw_table, our_measure
    from assay.published.library import (
        PublishedChart,
        PublishedClaim,
        PublishedReport,
        find_published,
        find_table,
        published_claims,
        published_reports,
    )
    from assay.published.tables import PublishedTable, TableAxis, TableCell, TableMeasure
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "PublishedChart",
    "PublishedClaim",
    "PublishedReport",
    "PublishedTable",
    "TableAxis",
    "TableCell",
    "TableMeasure",
    "charts_of",
    "draw_table",
    "find_published",
    "find_table",
    "our_measure",
    "published_claims",
    "published_reports",
]
