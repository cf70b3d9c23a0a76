"""The table of profile windows: what each source read, and why one is missing."""

from __future__ import annotations

from assay.base.numbers import NOTHING
from assay.reporting.report.material import Material
from assay.reporting.report.tables.model import Column, Table

_QUERY = """
    SELECT source,
        count(DISTINCT (run_id, rung)) FILTER (value IS NOT NULL) AS read,
        count(DISTINCT (run_id, rung)) AS of,
        sum(value) FILTER (name = 'lost') AS lost,
        string_agg(DISTINCT text, '; ') FILTER (name = 'missing') AS missing,
        string_agg(DISTINCT text, '; ') FILTER (name = 'remedy') AS remedy,
        string_agg(DISTINCT text, '; ') FILTER (name = 'note') AS notes
    FROM profile_sources GROUP BY source ORDER BY source"""


def tables(material: Material) -> list[Table]:
    """Returns `watched`: one row a source; none where no profile window was asked for."""
    words = material.words
    found = material.rows(_QUERY)
    if not found:
        return []
    columns = (
        Column("source", words("watched.source"), kind="text"),
        Column("read", words("watched.read"), kind="text"),
        Column("lost", words("watched.lost")),
        *(Column(name, words(f"watched.{name}"), kind="prose") for name in ("missing", "remedy", "notes")),
    )
    rows = tuple(
        (
            row["source"],
            f"{row['read']} / {row['of']}",
            row["lost"],
            row["missing"] or NOTHING,
            row["remedy"] or NOTHING,
            row["notes"] or NOTHING,
        )
        for row in found
    )
    return [
        Table("environment", "watched", words("watched.title"), columns, rows, note=words("watched.note"))
    ]
