"""The tables of doubts, the most serious first: by kind, and one by one."""

from __future__ import annotations

from collections import Counter

from assay.reporting.report.explain import explain_doubt
from assay.reporting.report.material import Material
from assay.reporting.report.tables.model import Cell, Column, Link, Table, Word, named_columns
from assay.reporting.report.tables.wide import load_column
from assay.results.verdict import DoubtNote, by_severity

MANY = 12
"""Doubts beyond which the list of all is closed on the page: the kinds say what to do."""


def tables(material: Material) -> list[Table]:
    """Returns `doubt-kinds`, a row a kind with the number of its doubts and what to do about them; `doubts`,
    one row a doubt with the run it is about.
    """
    found = by_severity(material.results.doubts)
    return [_kinds(material, found), _all(material, found)] if found else [_all(material, found)]


def _kinds(material: Material, found: list[DoubtNote]) -> Table:
    words = material.words
    counts = Counter((one.severity, one.kind) for one in found)
    return Table(
        "doubts",
        "doubt-kinds",
        words("doubts.title"),
        (
            *named_columns(words, "column", severity="word", kind="text", count="number"),
            Column("what to do", words("column.what-to-do"), kind="prose"),
        ),
        tuple(
            (Word(severity), _name(material, kind), count, words.get(f"doubt-do.{kind}", ""))
            for (severity, kind), count in counts.items()
        ),
    )


def _all(material: Material, found: list[DoubtNote]) -> Table:
    words = material.words
    rows: list[tuple[Cell, ...]] = [
        (
            Word(d.severity),
            _name(material, d.kind),
            explain_doubt(material.words, d),
            d.load,
            Link(d.run_id, f"runs/{d.run_id}/run.json") if d.run_id else None,
        )
        for d in found
    ]
    return Table(
        "doubts",
        "doubts",
        words("doubts.all"),
        (
            *named_columns(words, "column", severity="word", kind="text", message="prose"),
            load_column(material),
            Column("run", words("column.run"), kind="links"),
        ),
        tuple(rows),
        empty=words("doubts.empty"),
        folded=len(rows) > MANY,
    )


def _name(material: Material, kind: str) -> str:
    return material.words.get(f"doubt.{kind}", kind.replace("-", " "))
