"""The table of the load generator's own figures: its processor time and its lateness."""

from __future__ import annotations

from collections.abc import Iterator

from assay.reporting.report.material import Material
from assay.reporting.report.tables.cells import figure_cell
from assay.reporting.report.tables.model import Cell, Column, Table, named_columns
from assay.reporting.report.tables.wide import load_column

_OWN = ("generator_cpu_us_per_query", "pacing_lateness_p99_ms", "reading_lateness_p99_ms")
"""Columns of the generator, in order.

Only open loops have lateness of arrivals, only recent engines that of reading.
"""


def tables(material: Material) -> list[Table]:
    """Returns `generator`: one row a measure and load point, treatments across. Loads on files have these in
    the table `files`.
    """
    words = material.words
    columns = (
        *named_columns(words, "column", measure="text", unit="text"),
        load_column(material),
        *(Column(treatment, treatment, side=True) for treatment in material.results.treatments),
    )
    return [
        Table(
            "costs",
            "generator",
            words("generator.title"),
            columns,
            tuple(_rows(material)),
            note=words("generator.note"),
            empty=words("generator.empty"),
        )
    ]


def _rows(material: Material) -> Iterator[tuple[Cell, ...]]:
    words, results = material.words, material.results
    found = {(e.measure, e.load, e.treatment): e for e in results.estimates if e.measure in _OWN}
    for measure, load in ((measure, load) for measure in _OWN for load in results.loads):
        row = [found.get((measure, load, treatment)) for treatment in results.treatments]
        unit = next((e.unit for e in row if e is not None), None)
        if unit is not None:
            cells = [figure_cell(material, e) for e in row]
            yield words.measure(measure), words.unit(unit), load, *cells
