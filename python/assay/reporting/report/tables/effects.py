"""The table of each factor's own effect, where a study varies several together."""

from __future__ import annotations

from assay.reporting.report.material import Material
from assay.reporting.report.records.effects import main_effects
from assay.reporting.report.tables.model import Column, Ratio, Table, named_columns
from assay.reporting.report.tables.wide import load_column


def tables(material: Material) -> list[Table]:
    """Returns `main-effects`: one row a measure, load point and level; no table for a single factor."""
    words, found = material.words, main_effects(material)
    if not found:
        return []
    columns = (
        Column("measure", words("column.measure"), kind="text"),
        load_column(material),
        *named_columns(
            words,
            "column",
            factor="text",
            level="text",
            baseline="text",
            ratio="ratio",
            smallest="number",
            largest="number",
            combinations="number",
            blocks="number",
        ),
    )
    rows = tuple(
        (
            words.measure(one.measure),
            one.load,
            one.factor,
            one.level,
            one.baseline,
            Ratio(one.found.ratio, one.found.low, one.found.high, one.word),
            one.smallest,
            one.largest,
            one.combinations,
            one.found.n,
        )
        for one in found
    )
    title, note = words("effects.title"), words("effects.note")
    return [Table("comparisons", "main-effects", title, columns, rows, note=note, folded=len(rows) > 40)]
