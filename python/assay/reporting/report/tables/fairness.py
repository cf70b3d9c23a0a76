"""The table of subjects in which servers are unequal, which makes a comparison unfair."""

from __future__ import annotations

from assay.reporting.report.material import Material
from assay.reporting.report.records.fairness import fairness
from assay.reporting.report.tables.model import Column, Table, Word, named_columns
from assay.results.verdict.fairness import SUBJECTS


def tables(material: Material) -> list[Table]:
    """Returns `fairness`: one row a subject, with the value in effect for each treatment."""
    words, treatments = material.words, material.results.treatments
    return [
        Table(
            "differences",
            "fairness",
            words("fairness.title"),
            (
                *named_columns(words, "column", subject="text", state="word"),
                *(Column(treatment, treatment, kind="text", side=True) for treatment in treatments),
                *named_columns(words, "column", why="prose", variables="prose"),
            ),
            tuple(
                (
                    words.get(f"subject.{one.subject.name}", one.subject.spoken),
                    Word("varied" if one.varied else "unequal"),
                    *(one.values.get(treatment) for treatment in treatments),
                    words.get(f"why.{one.subject.name}", ""),
                    ", ".join(one.subject.variables),
                )
                for one in fairness(material)
            ),
            note=words("fairness.note"),
            empty=words("fairness.empty", count=len(SUBJECTS)),
        )
    ]
