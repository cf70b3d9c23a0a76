"""The wide tables, one for each measure.

Each has threads (or rate) down, treatments across, then each treatment's ratio to the baseline with its
verdict word.
"""

from __future__ import annotations

from assay.reporting.report.material import Material
from assay.reporting.report.tables.cells import figure_cell, ratio_or_reason
from assay.reporting.report.tables.model import Cell, Column, Table
from assay.reporting.report.treatment_labels import labels_of

MEASURES = ("tps", "qps", "p95_ms", "p99_ms", "mean_ms")
OPEN = 2  # headlines of a study whose tables stand open; the others have much of the same


def tables(material: Material) -> list[Table]:
    """Returns a table for each estimated measure of MEASURES, and for others that a hypothesis names."""
    measured = material.measures()
    first = (*material.results.headlines, *MEASURES)
    spoken = [term.measure for one in material.study.hypotheses for term in one.terms]
    return [wide(material, m, measured[m]) for m in dict.fromkeys((*first, *spoken)) if m in measured]


def wide(material: Material, measure: str, unit: str) -> Table:
    """Returns the table of one measure."""
    words, results, labels = material.words, material.results, labels_of(material)
    baseline, *others = results.treatments
    compared = [o for o in others if any(material.comparison(o, load, measure) for load in results.loads)]
    rows = []
    for load in results.loads:
        cells: list[Cell] = [load]
        for treatment in results.treatments:
            cells.append(figure_cell(material, material.estimate(treatment, load, measure)))
        for other in compared:
            cells.append(ratio_or_reason(material, other, load, measure))
        rows.append(tuple(cells))
    columns = [load_column(material)]
    columns += [
        Column(f"{treatment} {measure}", labels.of[treatment], side=True) for treatment in results.treatments
    ]
    columns += [
        Column(
            f"{other} / {baseline}",
            words("wide.ratio", other=labels.of[other], baseline=labels.of[baseline]),
            kind="ratio",
        )
        for other in compared
    ]
    unit = words.unit(unit)
    title = words.with_unit(words.measure(measure), unit)
    notes = [
        words(
            "wide.note" if results.blocks_complete > 1 else "wide.one-block", blocks=results.blocks_complete
        )
    ]
    if labels.header:
        notes.append(words("wide.names", factors=labels.header))
    if measure.endswith("_ms") and material.closed_loop:
        notes.append(words("wide.service-time"))
    return Table(
        "results",
        measure.removesuffix("_ms"),
        title,
        tuple(columns),
        tuple(rows),
        words.sentences(notes),
        folded=results.screening is not None or measure not in results.headlines[:OPEN],
    )


def load_column(material: Material) -> Column:
    """Returns the column of the load, which is the first in every table by load."""
    kind = material.results.load_kind
    return Column(kind, material.words(f"load.{kind}"), "1/s" if kind == "rate" else "")
