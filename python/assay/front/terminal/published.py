"""Prints published reports: the list of them, one report, one table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Console

from assay.base.printable import line
from assay.base.wording import counted
from assay.experiments.comparison.published import PublishedReport, PublishedTable, TableAxis
from assay.front.terminal.tables import figures_table

_MOST_COLUMNS = 12


def print_reports(reports: Sequence[PublishedReport], console: Console) -> None:
    """Prints each report with its tables, and its numbers of charts and claims."""
    for report in reports:
        counts = (
            counted(len(report.tables), "table"),
            counted(len(report.charts), "chart"),
            counted(len(report.claims), "claim"),
        )
        console.print(f"[bold]{report.id}[/]  {report.subject['en']}")
        console.print(f"     {', '.join(counts)}", markup=False)
        for table in report.tables:
            axes = " x ".join(axis.name for axis in table.axes) or counted(len(table.rows), "row")
            console.print(f"     {table.id:8}  {table.name}: {axes}", markup=False)
        console.print()


def print_report(report: PublishedReport, console: Console) -> None:
    """Prints all of a report but the figures of its tables."""
    print_reports([report], console)
    _rows(
        "Environment",
        [(one.host, one.attribute, one.value, str(one.source_line)) for one in report.environment],
        ("host", "", "", "line"),
        console,
    )
    _rows(
        "Charts",
        [
            (one.name, one.kind, f"{one.y_axis} by {one.x_axis}", one.series, ", ".join(one.tables) or "-")
            for one in report.charts
        ],
        ("chart", "kind", "axes", "series", "its numbers"),
        console,
    )
    _rows(
        "Claims",
        [(one.id, one.kind, one.hypothesis, one.scope, str(one.source_line)) for one in report.claims],
        ("claim", "kind", "says", "scope", "line"),
        console,
    )
    _rows(
        "Figures in the text",
        [
            (one.quantity, f"{one.value} {one.unit}".strip(), one.condition, str(one.source_line))
            for one in report.prose
        ],
        ("quantity", "value", "condition", "line"),
        console,
    )


def print_table(table: PublishedTable, console: Console) -> None:
    """Prints a table as it was published: a row for each level of its axis, a column for each series and
    measure.
    """
    fixed = ", ".join(f"{name}={level}" for name, level in table.fixed.items())
    console.print(f"{table.id}  {table.name}{f'  ({fixed})' if fixed else ''}\n", markup=False)
    if not table.cells:
        hidden = {"study", "table"}
        names = [name for name in table.rows[0] if name not in hidden]
        _rows("", [[row[name] or "" for name in names] for row in table.rows], names, console)
        return
    header, rows = wide(table)
    _rows("", rows, header, console, left=sum(axis.name in header for axis in table.axes))


def wide(table: PublishedTable) -> tuple[list[str], list[list[str]]]:
    """Returns titles and rows of a table as published; with one figure a row where it would be too wide."""
    x = table.x
    units = {one.name: one.unit for one in table.measures}
    titled = {name: f"{name} {unit}".strip() for name, unit in units.items()}
    at = None if x is None else table.column(x)
    place = dict[tuple[tuple[str, ...], str], str]()
    for cell in table.cells:
        place[cell.levels, cell.measure] = cell.printed
    others = dict.fromkeys(_without(cell.levels, at) for cell in table.cells)
    columns = [(other, name) for name in units for other in others]
    if x is not None and len(columns) <= _MOST_COLUMNS:
        rest = [axis for axis in table.axes if axis != x]
        heads = [" ".join((*_headed(rest, other), titled[name])) for other, name in columns]
        return [x.name, *heads], [
            [level, *(place.get((_with(other, at, level), name), "") for other, name in columns)]
            for level in x.levels
        ]
    axes = [axis.name for axis in table.axes]
    if len(units) <= _MOST_COLUMNS:
        places = dict.fromkeys(cell.levels for cell in table.cells)
        return [*axes, *titled.values()], [
            [*levels, *(place.get((levels, name), "") for name in units)] for levels in places
        ]
    return [*axes, "measure", "figure", "unit"], [
        [*cell.levels, cell.measure, cell.printed, units[cell.measure]] for cell in table.cells
    ]


def _headed(axes: Sequence[TableAxis], levels: Sequence[str]) -> list[str]:
    """Returns levels for the head of a column: a number with its axis, a word alone."""
    pairs = [(axis, level) for axis, level in zip(axes, levels, strict=True) if level]
    return [f"{axis.name}={level}" if axis.is_numeric else level for axis, level in pairs]


def _without(levels: tuple[str, ...], at: int | None) -> tuple[str, ...]:
    return levels if at is None else (*levels[:at], *levels[at + 1 :])


def _with(others: tuple[str, ...], at: int | None, level: str) -> tuple[str, ...]:
    return others if at is None else (*others[:at], level, *others[at:])


def _rows(
    title: str, rows: Sequence[Sequence[str]], header: Sequence[str], console: Console, *, left: int = 99
) -> None:
    if not rows:
        return
    if title:
        console.print(f"[bold]{title}[/]")
    table = figures_table(*header, left=left)
    for row in rows:
        table.add_row(*(line(cell).replace("[", r"\[") for cell in row))
    console.print(table)
    console.print()


def table_object(table: PublishedTable) -> Mapping[str, object]:
    """Returns a table for JSON: axes, measures and figures, or rows of settings."""
    from dataclasses import asdict

    whole = asdict(table)
    return {key: whole[key] for key in whole if key != "rows" or not table.cells}
