"""The tables of hypotheses and verdicts: as a whole, and at each load point."""

from __future__ import annotations

from assay.reporting.report.explain import doubt_names, explain, explain_part, treatments, when_named
from assay.reporting.report.material import Material
from assay.reporting.report.tables.model import Column, Figure, Table, Word
from assay.reporting.report.tables.wide import load_column
from assay.results.verdict import Part


def tables(material: Material) -> list[Table]:
    """Returns `hypotheses`, one row each; `hypothesis-parts`, one row a pair of treatments and load point."""
    words, verdicts = material.words, material.results.hypotheses
    if not verdicts:
        return []  # the summary says it
    return [
        Table(
            "hypotheses",
            "hypotheses",
            words("hypotheses.title"),
            (
                Column("number", "#"),
                Column("claim", words("column.claim"), kind="text"),
                Column("outcome", words("column.outcome"), kind="word"),
                Column("explanation", words("column.explanation"), kind="prose"),
                Column("source", words("column.source"), kind="text"),
                Column("named", words("column.named"), kind="text"),
            ),
            tuple(
                (number, v.claim, Word(v.word), explain(material, v), v.source, when_named(words, v))
                for number, v in enumerate(verdicts, start=1)
            ),
        ),
        Table(
            "hypotheses",
            "hypothesis-parts",
            words("hypotheses.parts-title"),
            (
                Column("number", "#"),
                Column("claim", words("column.claim"), kind="text"),
                Column("treatments", words("column.treatments"), kind="text"),
                load_column(material),
                Column("outcome", words("column.outcome"), kind="word"),
                Column("figure", words("column.figure")),
                Column("blocks", words("column.blocks")),
                Column("more blocks", words("column.more-blocks")),
                Column("doubts", words("column.doubts"), kind="text"),
                Column("explanation", words("column.explanation"), kind="prose"),
            ),
            tuple(
                (
                    number,
                    v.claim,
                    treatments(part),
                    part.load,
                    Word(part.word),
                    _cell(part),
                    part.blocks,
                    part.more_blocks,
                    doubt_names(words, part.doubts),
                    explain_part(material, part),
                )
                for number, v in enumerate(verdicts, start=1)
                for part in v.parts
            ),
            note=words("hypotheses.parts-note"),
        ),
    ]


def _cell(part: Part) -> Figure | None:
    found = part.figure
    return None if found is None else Figure(found.value, found.low, found.high)
