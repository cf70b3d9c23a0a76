"""The table of errors by the server's code."""

from __future__ import annotations

from assay.reporting.report.material import Material
from assay.reporting.report.records.errors import error_records
from assay.reporting.report.tables.model import Column, Table, named_columns
from assay.reporting.report.tables.wide import load_column


def tables(material: Material) -> list[Table]:
    """Returns `errors`: one row a treatment, load point and code."""
    words = material.words
    return [
        Table(
            "errors",
            "errors",
            words("errors.title"),
            (
                Column("treatment", words("column.treatment"), kind="text"),
                load_column(material),
                *named_columns(words, "column", code="code", name="text", count="number"),
                Column("per million queries", words("column.per-million")),
            ),
            tuple(
                (e.treatment, e.load, str(e.code), e.name, e.count, e.per_million)
                for e in error_records(material)
            ),
            note=words("errors.note"),
            empty=words("errors.empty"),
        )
    ]
