"""Everything that was measured of a load on files: what a job of fio prints, and more."""

from __future__ import annotations

from assay.report.material import Material
from assay.report.records.costs import is_cost
from assay.report.tables.model import Cell, Column, Figure, Table
from assay.report.tables.wide import load_column
from assay.study.on_files import ROUNDS


def tables(material: Material) -> list[Table]:
    """`files`: one row a measure and load point, treatments across; no table where a server was driven."""
    if not material.study.on_files:
        return []
    words, treatments = material.words, material.results.treatments
    found = {
        (e.measure, e.load, e.treatment): e for e in material.results.estimates if not is_cost(e.measure)
    }
    units = {measure: e.unit for (measure, _, _), e in found.items()}
    rows: list[tuple[Cell, ...]] = []
    for measure in units:
        if measure not in ROUNDS and not any(e.value for (name, _, _), e in found.items() if name == measure):
            continue
        for load in material.results.loads:
            cells: list[Cell] = [words.measure(measure), words.unit(units[measure]), load]
            for treatment in treatments:
                e = found.get((measure, load, treatment))
                cells.append(Figure(e.value, e.low, e.high) if e else None)
            rows.append(tuple(cells))
    columns = (
        Column("measure", words("column.measure"), kind="text"),
        Column("unit", words("column.unit"), kind="text"),
        load_column(material),
        *(Column(treatment, treatment) for treatment in treatments),
    )
    return [
        Table(
            "results",
            "files",
            words("files-table.title"),
            columns,
            tuple(rows),
            note=words("files-table.note"),
            folded=len(rows) > 30,
        )
    ]
