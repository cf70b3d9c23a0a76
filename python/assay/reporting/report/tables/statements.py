"""The table of times of each kind of statement, such as a commit."""

from __future__ import annotations

from assay.reporting.report.material import Material
from assay.reporting.report.records.statements import SHOWN, statement_times
from assay.reporting.report.tables.model import Cell, Column, Figure, Table, named_columns
from assay.reporting.report.tables.wide import load_column

MANY = 12  # rows beyond which it is closed on the page until asked for


def tables(material: Material) -> list[Table]:
    """Returns `statements`: one row a load point, kind of statement and treatment."""
    words = material.words
    rows: list[tuple[Cell, ...]] = [
        (
            one.label,
            one.load,
            one.treatment,
            one.count,
            *(Figure(found.value, found.low, found.high) for found in one.percentiles.values()),
        )
        for one in statement_times(material)
    ]
    columns = (
        Column("statement", words("column.statement"), kind="text"),
        load_column(material),
        *named_columns(words, "column", treatment="text", count="number"),
        *(Column(name, name, "ms") for name in SHOWN),
    )
    return [
        Table(
            "results",
            "statements",
            words("statements.title"),
            columns,
            tuple(rows),
            note=words("statements.note"),
            empty=words("statements.empty"),
            folded=len(rows) > MANY,
        )
    ]
