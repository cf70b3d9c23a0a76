"""The table of variables that differ between the treatments' servers, varied by the study or not."""

from __future__ import annotations

from assay.reporting.report.material import Material
from assay.reporting.report.records.facts import differences
from assay.reporting.report.tables.model import Column, Table, Word, named_columns

LONG = 60  # servers of other versions differ in hundreds; what matters of them stands in the fairness table


def tables(material: Material) -> list[Table]:
    """Returns the table `differences`: one row for each server variable whose value differs."""
    words = material.words
    found = differences(material)
    treatments = list(found[0].values) if found else list(material.results.treatments)
    return [
        Table(
            "differences",
            "differences",
            words("differences.title"),
            (
                *named_columns(words, "column", variable="text", state="word"),
                *(Column(treatment, treatment, kind="text", side=True) for treatment in treatments),
            ),
            tuple((d.variable, Word(d.state), *(d.values[t] for t in treatments)) for d in found),
            note=words("differences.note"),
            empty=words("differences.empty"),
            folded=len(found) > LONG,
        )
    ]
