"""The table of what connections wait for: the share of time of each kind of statement."""

from __future__ import annotations

from assay.reporting.report.material import Material
from assay.reporting.report.records.statements import wait_shares
from assay.reporting.report.tables.model import Column, Table
from assay.reporting.report.tables.wide import load_column


def tables(material: Material) -> list[Table]:
    """Returns `waits`: one row a treatment, load point and kind of the chart; none without two kinds."""
    words, rows = material.words, wait_shares(material)
    if not rows:
        return []
    return [
        Table(
            "results",
            "waits",
            words("chart.waits"),
            (
                Column("statement", words("column.statement"), kind="text"),
                load_column(material),
                Column("treatment", words("column.treatment"), kind="text"),
                Column("share", words("waits.share"), "%"),
            ),
            tuple(
                (one.statement or words("waits.rest"), one.load, one.treatment, 100 * one.share)
                for one in rows
            ),
            note=words("waits.note"),
            folded=True,
        )
    ]
