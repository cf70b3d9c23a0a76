"""Makes grids of the sources that can be compared: a results folder, or a table of a published report."""

from __future__ import annotations

from pathlib import Path

import duckdb

from assay.base.errors import InputError
from assay.design.study import level_text
from assay.experiments.comparison.grid import Grid, GridAxis, GridFigure
from assay.experiments.comparison.published import (
    PublishedTable,
    find_table,
    names_here,
    our_measure,
    published_reports,
    tables_of,
    tables_repeated_by,
    work_of_table,
)
from assay.experiments.lab import Judged, figures_of, results_folder
from assay.results.stats import fewest_blocks
from assay.results.verdict import conditions_of, doubts_about, levels_of, measured_runs

PUBLISHED = "published:"


def grid_of(source: str) -> Grid:
    """Returns the grid of `published:TABLE`, or of a results folder. Raises InputError when there is none."""
    if source.startswith(PUBLISHED):
        return grid_of_table(find_table(source.removeprefix(PUBLISHED)))
    with figures_of(results_folder(Path(source))) as found:
        return _grid_of_results(source, found)


def repeated_table(source: str) -> str:
    """Returns `published:TABLE`, the first one that the study of a results folder repeats. Raises InputError
    where it repeats none.
    """
    grid = grid_of(source)
    tables = tables_of_study(grid)
    if not tables:
        alike = ", ".join(f"{PUBLISHED}{one}" for one in tables_of(grid.work))
        raise InputError(
            f"{source}: its study repeats no published table, so it cannot be compared alone",
            hint="give other results, or a table of this kind of work"
            + (f": {alike}" if alike else ": there is none"),
        )
    return tables[0]


def tables_of_study(grid: Grid) -> tuple[str, ...]:
    """Returns every `published:TABLE` that the study of results repeats; none for a table."""
    if grid.conditions is None or grid.conditions.stated is None:
        return ()
    return tuple(f"{PUBLISHED}{one}" for one in tables_repeated_by(grid.conditions.stated.name))


def grid_of_table(table: PublishedTable) -> Grid:
    """Returns the grid of a published table, with the studies' names for its axes, levels and measures."""
    axes, here = [], names_here()
    for axis in table.axes:
        name = "=".join(here[part].name if part in here else part for part in axis.name.split("="))
        levels = here[axis.name].levels if axis.name in here else {}
        axes.append((GridAxis(name, tuple(levels.get(one, one) for one in axis.levels)), levels))
    cells = {}
    for cell in table.cells:
        if cell.value is not None:
            place = tuple(levels.get(one, one) for one, (_, levels) in zip(cell.levels, axes, strict=True))
            cells[our_measure(cell.measure), place] = GridFigure(cell.value)
    report = next(one for one in published_reports() if one.id == table.report)
    told = ("cpu", "logical_threads", "memory", "storage", "server", "os")
    facts = dict.fromkeys(fact.value for fact in report.environment if fact.attribute in told)
    units = {our_measure(one.name): one.unit for one in table.measures}
    return Grid(
        name=f"{PUBLISHED}{table.id}",
        work=work_of_table(table.id),
        axes=tuple(axis for axis, _ in axes),
        cells=cells,
        units=units,
        headlines=tuple(units),
        machine=", ".join(facts),
        fixed=table.fixed,
    )


def _grid_of_results(name: str, found: Judged) -> Grid:
    """Returns the grid of a study's estimates: an axis for its ladder, and one for each factor."""
    study = found.study
    levels = levels_of(found.store)
    factors = [one for one in study.factors if any(one.name in known for known in levels.values())]
    columns = {one.short_name: [known.get(one.name, "") for known in levels.values()] for one in factors}
    full = {one.short_name: one.name for one in factors}
    kind, loads = found.results.load_kind, found.results.loads
    tied: dict[tuple[str, ...], list[str]] = {}
    for short, column in columns.items():
        tied.setdefault(tuple(column), []).append(short)
    axes = [GridAxis(kind, tuple(f"{load:g}" for load in loads))]
    firsts = [full[names[0]] for names in tied.values()]
    written = {one.name: tuple(map(level_text, one.levels)) for one in factors}
    for names, factor, levels_there in zip(tied.values(), firsts, tied, strict=True):
        in_order = [level for level in written[factor] if level in levels_there]
        axes.append(GridAxis("=".join(names), tuple(dict.fromkeys((*in_order, *levels_there)))))
    cells, units = {}, {}
    for one in found.results.estimates:
        known = levels.get(one.treatment, {})
        place = (f"{one.load:g}", *(known.get(factor, "") for factor in firsts))
        doubts = doubts_about(found.results, [one.treatment], one.load, one.measure)
        cells[one.measure, place] = GridFigure(one.value, tuple(value for _, value in one.blocks), doubts)
        units[one.measure] = one.unit
    varied = [number for number, axis in enumerate(axes) if len(axis.levels) > 1]
    conditions = conditions_of(study, found.store)
    assert conditions.work is not None
    return Grid(
        name=name,
        work=conditions.work,
        axes=tuple(axes[number] for number in varied),
        cells={
            (measure, tuple(place[number] for number in varied)): figure
            for (measure, place), figure in cells.items()
        },
        units=units,
        headlines=found.results.headlines,
        machine=_machine(found.store),
        fixed={axis.name: axis.levels[0] for axis in axes if len(axis.levels) == 1},
        conditions=conditions,
        doubts=tuple(note for note in found.results.doubts if note.severity != "note"),
        fewest=fewest_blocks(study.verdict.confidence),
        confidence=study.verdict.confidence,
    )


def _machine(store: duckdb.DuckDBPyConnection) -> str:
    """Returns the machine in words, as far as it is known: `2 x Xeon …, 24 GiB, mysql 8.0.15`."""
    runs = [one.conditions for one in measured_runs(store)]
    said = list(dict.fromkeys(one.host for one in runs if one.processor))
    said += sorted({f"{one.server_flavour} {one.server_version}" for one in runs if one.server_version})
    said += sorted({f"imported from {one.imported}" for one in runs if one.imported})
    return ", ".join(said)
