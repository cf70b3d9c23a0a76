"""The table of all measures of a load on files, which include those that fio prints."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.design.study import MEASURES, parted
from assay.reporting.report.material import Material
from assay.reporting.report.records.costs import is_cost
from assay.reporting.report.tables.cells import figure_cell
from assay.reporting.report.tables.model import Cell, Column, Table, named_columns
from assay.reporting.report.tables.wide import load_column

_LATENCY = "latency_"
_FAMILIES = (
    "workers",
    "job_",
    "read_",
    "write_",
    "worker_",
    "context_",
    "major_",
    "minor_",
    "depth_",
    "submitted_",
    "collected_",
    _LATENCY,
    "disk_",
)
"""Prefixes of measures that no claim names, in the order of the table."""


def tables(material: Material) -> list[Table]:
    """Returns `files`: one row a measure and load point, treatments across."""
    rows = tuple(_rows(material))
    words = material.words
    columns = (
        *named_columns(words, "column", measure="text", name="code", unit="text"),
        load_column(material),
        *(Column(treatment, treatment, side=True) for treatment in material.results.treatments),
    )
    return [
        Table(
            "results",
            "files",
            words("files-table.title"),
            columns,
            rows,
            note=words("files-table.note"),
            folded=len(rows) > 30,
        )
    ]


def _rows(material: Material) -> Iterator[tuple[Cell, ...]]:
    words, results = material.words, material.results
    found = {(e.measure, e.load, e.treatment): e for e in results.estimates if not is_cost(e.measure)}
    units = {measure: e.unit for (measure, _, _), e in found.items()}
    jobs = {job for job, _ in map(parted, units) if job is not None}
    moved = {measure for (measure, _, _), e in found.items() if e.value}
    for measure in sorted(units, key=_place):
        if measure.startswith(_LATENCY) and measure not in moved:
            continue
        if len(jobs) == 1 and parted(measure)[0]:
            continue  # it is all of the load
        for load in results.loads:
            cells: list[Cell] = [words.measure(measure), measure, words.unit(units[measure]), load]
            for treatment in results.treatments:
                cells.append(figure_cell(material, found.get((measure, load, treatment))))
            yield tuple(cells)


def _place(measure: str) -> tuple[int, list[tuple[float, str]]]:
    """Returns the sort key of a measure in the table.

    Measures of claims come in the study's order, then families and levels by number, then jobs.
    """
    known = list(MEASURES)
    job, whole = parted(measure)
    if job is not None:
        return len(known) + len(_FAMILIES) + 1, [(0, job), (known.index(whole), "")]
    if measure in known:
        return known.index(measure), []
    family = next((at for at, name in enumerate(_FAMILIES) if measure.startswith(name)), len(_FAMILIES))
    parts = re.findall(r"([\d.]+)|([^\d.]+)", measure)
    return len(known) + family, [(float(number or -1), text) for number, text in parts]
