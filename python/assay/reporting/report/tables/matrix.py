"""The matrix: kinds of load down, treatments across, at one load point.

Each cell is a ratio to the baseline with its word; the costs of an operation stand beside it.
"""

from __future__ import annotations

from collections.abc import Mapping

from assay.base.numbers import number
from assay.reporting.report.material import FEW_KINDS, Material
from assay.reporting.report.records.matrix import (
    COSTS,
    KindOfLoad,
    kinds,
    over_kinds,
    sees,
    sees_how,
    treatments,
)
from assay.reporting.report.tables.cells import figure_cell, ratio_cell
from assay.reporting.report.tables.model import Cell, Column, Ratio, Table

_SCALES = {"read": (1024, "KiB"), "written": (1024, "KiB"), "cpu": (1, "us"), "switches": (1, "")}
"""By cost, the number by which its values are divided, and their unit."""


def tables(material: Material) -> list[Table]:
    """Returns a matrix for each load point: first of throughput, then of the other measures that are always
    compared.

    None for a study of one kind of load.
    """
    if not material.has_matrix:
        return []
    measured = material.measures()
    wanted = dict.fromkeys((material.throughput, *material.results.headlines))
    return [
        _matrix(material, measure, load)
        for measure in wanted
        if measure in measured
        for load in material.results.loads
    ]


def _matrix(material: Material, measure: str, load: float) -> Table:
    words, rows = material.words, list(kinds(material, measure, load))
    baseline, *others = treatments(material)
    compared = [name for name in others if any(name in row.compared for row in rows)]
    of_throughput = measure == material.throughput
    costs = _costs(material) if of_throughput else {}
    title = words.measure(measure)
    unit = words.unit(material.measures()[measure])
    columns = [
        Column("load", words("column.load-kind"), kind="text"),
        Column(f"{baseline} {measure}", baseline, group=words.with_unit(title, unit)),
    ]
    columns += [
        Column(f"{name} / {baseline}", name, kind="ratio", group=words("matrix.ratio", baseline=baseline))
        for name in compared
    ]
    columns += [
        Column(f"{name} {cost}", name, words.unit(_SCALES[cost][1]), group=words(f"matrix.{cost}"))
        for cost in costs
        for name in (baseline, *compared)
    ]
    body = [_row(material, row, compared, costs, baseline, load) for row in rows]
    means = [over_kinds(material, measure, load, name) for name in compared]
    if any(means):
        cells = [
            None if one is None else Ratio(one.found.ratio, one.found.low, one.found.high, one.word)
            for one in means
        ]
        body.append((words("matrix.all"), None, *cells, *(None for _ in columns[2 + len(cells) :])))
    notes = [words("matrix.note", baseline=baseline)]
    if of_throughput:
        can_see = (sees(material, load), sees_how(material, load))
        notes = [*(one for one in can_see if one), *notes, words("matrix.costs")]
        if material.has_many_kinds:
            notes.append(words("matrix.instead", most=FEW_KINDS))
    return Table(
        "results",
        f"matrix-{measure.removesuffix('_ms')}-{number(load).replace(',', '')}",
        words("matrix.title", measure=title, load=material.load_words(load)),
        tuple(columns),
        tuple(body),
        note=words.sentences(notes),
        folded=not of_throughput,
        tinted=True,
    )


def _row(
    material: Material,
    row: KindOfLoad,
    compared: list[str],
    costs: Mapping[str, str],
    baseline: str,
    load: float,
) -> tuple[Cell, ...]:
    first = row.baseline
    cells: list[Cell] = [row.name, figure_cell(material, first)]
    for name in compared:
        cells.append(ratio_cell(material, row.compared.get(name)))
    for cost, measure in costs.items():
        for name in (baseline, *compared):
            full = row.treatments.get(name)
            found = None if full is None else material.estimate(full, load, measure)
            cells.append(None if found is None else found.value / _SCALES[cost][0])
    return tuple(cells)


def _costs(material: Material) -> dict[str, str]:
    """Returns the costs that were measured, each with the measure that has it."""
    measured = material.measures()
    found = {cost: next((one for one in names if one in measured), None) for cost, names in COSTS.items()}
    return {cost: measure for cost, measure in found.items() if measure is not None}
