"""The tables of hypotheses and verdicts: as a whole, and at each load point."""

from __future__ import annotations

from assay.reporting.report.explain import doubt_names, explain, explain_part, treatments, when_named
from assay.reporting.report.material import Material
from assay.reporting.report.tables.model import Column, Doubted, Figure, Table, Word, named_columns
from assay.reporting.report.tables.wide import load_column
from assay.results.verdict import HypothesisVerdict, Part


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
                *named_columns(
                    words,
                    "column",
                    claim="text",
                    outcome="word",
                    explanation="prose",
                    source="text",
                    named="text",
                ),
            ),
            tuple(
                (
                    number,
                    v.claim,
                    Word(v.word),
                    explain(material, v),
                    _source(material, number, v),
                    when_named(words, v),
                )
                for number, v in enumerate(verdicts, start=1)
            ),
            folded=True,
        ),
        Table(
            "hypotheses",
            "hypothesis-parts",
            words("hypotheses.parts-title"),
            (
                Column("number", "#"),
                *named_columns(words, "column", claim="text", treatments="text"),
                load_column(material),
                *named_columns(words, "column", outcome="word", figure="number", blocks="number"),
                Column("more blocks", words("column.more-blocks")),
                Column("doubts", words("column.doubts"), kind="text"),
                Column("explanation", words("column.explanation"), kind="prose", file_only=True),
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
                    Doubted(doubt_names(words, part.doubts)),
                    explain_part(material, part),
                )
                for number, v in enumerate(verdicts, start=1)
                for part in v.parts
            ),
            note=words("hypotheses.parts-note"),
        ),
    ]


def _source(material: Material, number: int, verdict: HypothesisVerdict) -> str | None:
    """Returns the source of a hypothesis in the report's language."""
    stated = material.study.hypotheses[number - 1 : number]
    return material.words.title(stated[0].source, "") or verdict.source if stated else verdict.source


def _cell(part: Part) -> Figure | None:
    found = part.figure
    return None if found is None else Figure(found.value, found.low, found.high)
