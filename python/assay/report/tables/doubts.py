"""The table of doubts, the most serious first."""

from __future__ import annotations

from assay.report.explain import explain_doubt
from assay.report.material import Material
from assay.report.tables.model import Cell, Column, Link, Table, Word
from assay.report.tables.wide import load_column

WEIGHT = {"invalid": 0, "warning": 1, "note": 2}


def tables(material: Material) -> list[Table]:
    """Returns `doubts`: one row a doubt, with what to do about it and the run it is about."""
    words = material.words
    rows: list[tuple[Cell, ...]] = [
        (
            Word(d.severity),
            words.get(f"doubt.{d.kind}", d.kind.replace("-", " ")),
            explain_doubt(material.words, d),
            words.get(f"doubt-do.{d.kind}", ""),
            d.load,
            Link(d.run_id, f"runs/{d.run_id}/run.json") if d.run_id else None,
        )
        for d in sorted(material.results.doubts, key=lambda d: WEIGHT[d.severity])
    ]
    return [
        Table(
            "doubts",
            "doubts",
            words("doubts.title"),
            (
                Column("severity", words("column.severity"), kind="word"),
                Column("kind", words("column.kind"), kind="text"),
                Column("message", words("column.message"), kind="prose"),
                Column("what to do", words("column.what-to-do"), kind="prose"),
                load_column(material),
                Column("run", words("column.run"), kind="links"),
            ),
            tuple(rows),
            empty=words("doubts.empty"),
        )
    ]
