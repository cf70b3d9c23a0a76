"""The table of the humps of each treatment's times, load by load."""

from __future__ import annotations

from assay.base.numbers import number
from assay.reporting.report.material import Material
from assay.reporting.report.records.ridge import ridge, trails
from assay.reporting.report.tables.model import Column, Table


def tables(material: Material) -> list[Table]:
    """Returns `ridge`: one row a trail of the chart; none without histograms."""
    words, rows = material.words, trails(ridge(material))
    if not rows:
        return []
    return [
        Table(
            "distribution",
            "ridge",
            words("chart.ridge"),
            (
                Column("load", words(f"load.{material.results.load_kind}")),
                Column("treatment", words("column.treatment"), kind="text"),
                Column("operations", words("heat.operations")),
                Column("fastest", words("ridge.fastest"), "ms"),
                Column("slowest", words("ridge.slowest"), "ms"),
                Column("humps", words("ridge.humps")),
                Column("humps at", words("ridge.humps-at"), kind="text"),
            ),
            tuple(
                (
                    one.load, one.treatment, one.operations, one.fastest_ms, one.slowest_ms,
                    len(one.humps_ms), words.listed(number(ms) for ms in one.humps_ms),
                )
                for one in rows
            ),
            note=words("ridge.note"),
        )
    ]  # fmt: skip
