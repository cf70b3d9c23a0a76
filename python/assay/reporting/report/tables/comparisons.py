"""The table of all comparisons: treatments with the baseline, and pairs that hypotheses name."""

from __future__ import annotations

from assay.base.numbers import number
from assay.reporting.report.explain import doubt_names
from assay.reporting.report.material import Material
from assay.reporting.report.tables.cells import ratio_cell
from assay.reporting.report.tables.model import Column, Doubted, Table, named_columns
from assay.reporting.report.tables.wide import load_column


def tables(material: Material) -> list[Table]:
    """Returns `comparisons`: one row a measure, load point and pair.

    A screen has the table `effects` instead.
    """
    words = material.words
    if material.results.screening is not None:
        return []
    return [
        Table(
            "comparisons",
            "comparisons",
            words("comparisons.title"),
            (
                Column("measure", words("column.measure"), kind="text"),
                load_column(material),
                *named_columns(words, "column", baseline="text", other="text", ratio="ratio"),
                Column("q value", words("column.q-value")),
                Column("p value", words("column.p-value"), file_only=True),
                *named_columns(words, "column", blocks="number", margin="number", detectable="number"),
                Column("more blocks", words("column.more-blocks")),
                *named_columns(words, "column", missed="number", withstands="number", doubts="text"),
            ),
            tuple(
                (
                    words.measure(c.measure),
                    c.load,
                    c.baseline,
                    c.other,
                    ratio_cell(material, c),
                    c.q_value,
                    c.p_value,
                    c.blocks,
                    c.margin,
                    c.detectable,
                    c.more_blocks,
                    None if c.missed is None else 100 * c.missed,
                    c.withstands,
                    Doubted(doubt_names(words, c.doubts)),
                )
                for c in material.results.comparisons
            ),
            note=_note(material),
            empty=words("comparisons.empty"),
            folded=len(material.results.comparisons) > 12,
        )
    ]


def _note(material: Material) -> str:
    """Returns a note on the smallest p-value that the number of blocks allows."""
    blocks = max((one.blocks for one in material.results.comparisons), default=0)
    return material.words("comparisons.note", blocks=blocks, least=number(min(2 / 2**blocks, 1.0)))
