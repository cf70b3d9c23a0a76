"""The table of how far the seconds of one block lie apart, treatment by treatment."""

from __future__ import annotations

from assay.reporting.report.material import Material
from assay.reporting.report.records.spread import spreads
from assay.reporting.report.records.timeline import typical_block
from assay.reporting.report.tables.model import Column, Table


def tables(material: Material) -> list[Table]:
    """Returns `spread`: one row a treatment, of the block and load of the chart; none without intervals."""
    words, load = material.words, max(material.results.loads, default=None)
    block = typical_block(material, load) if load is not None else None
    rows = spreads(material, load, block) if load is not None and block is not None else []
    if not rows:
        return []
    names = ("lowest", "quarter", "median", "three-quarters", "highest")
    return [
        Table(
            "timeline",
            "spread",
            words("chart.spread"),
            (
                Column("treatment", words("column.treatment"), kind="text"),
                Column("seconds", words("spread.seconds")),
                *(Column(name, words(f"spread.{name}"), "1/s") for name in names),
                Column("middle half", words("spread.middle-half"), "%"),
            ),
            tuple(
                (
                    one.treatment, one.seconds, one.lowest, one.quarter, one.median, one.three_quarters,
                    one.highest, one.middle_half_pct,
                )
                for one in rows
            ),
            note=words("spread.note", block=block, load=material.load_words(load)),
        )
    ]  # fmt: skip
