"""Five published reports as data: their tables, claims and charts, and the verdicts on their claims here."""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.experiments.comparison.published.drawing import (
        charts_of,
        draw_table,
        our_measure,
        table_and_measures,
    )
    from assay.experiments.comparison.published.library import (
        NameHere,
        PublishedChart,
        PublishedClaim,
        PublishedReport,
        data_folder,
        find_published,
        find_table,
        names_here,
        published_claims,
        published_reports,
        tables_of,
        tables_repeated_by,
        work_of_table,
    )
    from assay.experiments.comparison.published.pages import tally_tables
    from assay.experiments.comparison.published.studies import ReportStudy, claim_of, files_to_run, studies_of
    from assay.experiments.comparison.published.tables import (
        PublishedTable,
        TableAxis,
        TableCell,
        TableMeasure,
    )
    from assay.experiments.comparison.published.tally import (
        OUTCOMES,
        ClaimState,
        FoundVerdict,
        Tally,
        state_of,
        tally,
    )
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "OUTCOMES",
    "ClaimState",
    "FoundVerdict",
    "NameHere",
    "PublishedChart",
    "PublishedClaim",
    "PublishedReport",
    "PublishedTable",
    "ReportStudy",
    "TableAxis",
    "TableCell",
    "TableMeasure",
    "Tally",
    "charts_of",
    "claim_of",
    "data_folder",
    "draw_table",
    "files_to_run",
    "find_published",
    "find_table",
    "names_here",
    "our_measure",
    "published_claims",
    "published_reports",
    "state_of",
    "studies_of",
    "table_and_measures",
    "tables_of",
    "tables_repeated_by",
    "tally",
    "tally_tables",
    "work_of_table",
]
