"""The table of stalls beside compared percentiles, and the percentiles corrected for them."""

from __future__ import annotations

from assay.reporting.report.material import Material
from assay.reporting.report.tables.cells import ratio_cell
from assay.reporting.report.tables.model import Column, Table, named_columns
from assay.reporting.report.tables.wide import load_column


def tables(material: Material) -> list[Table]:
    """Returns `tails`: one row for each comparison of a percentile or a maximum; nothing without any."""
    words = material.words
    found = [one for one in material.results.comparisons if one.stalled_pct is not None]
    if not found or material.results.screening is not None:
        return []
    return [
        Table(
            "comparisons",
            "tails",
            words("tails.title"),
            (
                Column("measure", words("column.measure"), kind="text"),
                load_column(material),
                *named_columns(words, "column", baseline="text", other="text", ratio="ratio"),
                Column("stalled baseline", words("column.stalled-baseline"), "%"),
                Column("stalled other", words("column.stalled-other"), "%"),
                Column("corrected baseline", words("column.corrected-baseline"), "ms"),
                Column("corrected other", words("column.corrected-other"), "ms"),
            ),
            tuple(
                (
                    words.measure(one.measure),
                    one.load,
                    one.baseline,
                    one.other,
                    ratio_cell(material, one),
                    *(one.stalled_pct or (None, None)),
                    *(one.corrected_ms or (None, None)),
                )
                for one in found
            ),
            note=words("tails.note"),
            folded=len(found) > 12,
        )
    ]
