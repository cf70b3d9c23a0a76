"""The table of the costs of one operation, for every counter that was sampled."""

from __future__ import annotations

from assay.reporting.report.material import Material
from assay.reporting.report.records.costs import costs
from assay.reporting.report.tables.cells import figure_cell
from assay.reporting.report.tables.model import Cell, Column, Table, named_columns
from assay.reporting.report.tables.wide import load_column


def tables(material: Material) -> list[Table]:
    """Returns `costs`: one row a measure and load point, treatments across."""
    words, treatments = material.words, material.results.treatments
    found = {(c.measure, c.load, c.treatment): c for c in costs(material)}
    units = {c.measure: c.unit for c in found.values()}
    rows: list[tuple[Cell, ...]] = []
    for measure, load in dict.fromkeys((measure, load) for measure, load, _ in found):
        cells: list[Cell] = [words.measure(measure), words.unit(units[measure]), load]
        for treatment in treatments:
            cells.append(figure_cell(material, found.get((measure, load, treatment))))
        rows.append(tuple(cells))
    columns = (
        *named_columns(words, "column", measure="text", unit="text"),
        load_column(material),
        *(Column(treatment, treatment, side=True) for treatment in treatments),
    )
    return [
        Table(
            "costs",
            "costs",
            words("costs.title"),
            columns,
            tuple(rows),
            note=words("costs.note"),
            empty=words("costs.empty"),
            folded=len(rows) > 30,
        )
    ]
