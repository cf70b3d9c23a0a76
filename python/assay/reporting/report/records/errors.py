"""Records of the errors that servers answered with, by code: they are outcomes of the measurement."""

from __future__ import annotations

from dataclasses import dataclass

from assay.base.server_errors import error_name
from assay.reporting.report.material import Material


@dataclass(frozen=True)
class ErrorRecord:
    """One error code of one treatment at one load. `per_million`: errors per million queries, over all its
    blocks.
    """

    treatment: str
    load: float
    code: int
    name: str
    count: int
    per_million: float | None


def error_records(material: Material) -> list[ErrorRecord]:
    """Returns counts of errors summed over blocks, the most frequent first."""
    rows = material.rows(
        "with asked as (select treatment, load, sum(queries) as queries from rungs group by all)"
        " select e.treatment, e.load, e.code, sum(e.count) as count, any_value(asked.queries) as queries"
        " from error_counts e left join asked using (treatment, load)"
        " group by e.treatment, e.load, e.code having sum(e.count) > 0"
        " order by count desc, treatment, load, code"
    )
    return [
        ErrorRecord(
            treatment=row["treatment"],
            load=row["load"],
            code=int(row["code"]),
            name=error_name(int(row["code"])),
            count=int(row["count"]),
            per_million=float(row["count"]) / float(row["queries"]) * 1e6 if row["queries"] else None,
        )
        for row in rows
    ]
