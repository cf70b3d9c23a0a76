"""Reads the cells of a sheet in long form (a figure a row) or wide form, and counts what it leaves over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from assay.results.audit.figure import Figure, parse_figure
from assay.results.audit.model import Cell, LeftOver, Sheet
from assay.results.audit.reading.cell_text import NOTHING, read_cell
from assay.results.audit.reading.wide import WideSheet
from assay.results.audit.reading.words import AXES, axis_of

_LEAST_COLUMNS = 3
_NAMES = {"study", "table", "source_line", "source_column", "metric", "unit", "result", "as_published"}


def cells_of_sheet(sheet: Sheet) -> tuple[list[Cell], list[LeftOver]]:
    """Returns the figures of a sheet, and what of it was left over: the sheet, columns or fields of it.

    A sheet that describes the results, such as claims or settings, has no figures, and nothing is left over.
    """
    if sheet.has("metric", "result"):
        cells, taken = list(_long(sheet)), set()
        lines = {cell.line for cell in cells}
        return cells, [
            LeftOver(sheet.file, line, "cell", "result", row["result"], "no figure")
            for line, row in sheet.rows
            if line not in lines and not NOTHING.fullmatch(row["result"])
        ]
    if sheet.is_known:
        return [], []
    wide = WideSheet(sheet)
    cells = list(wide.cells())
    taken = wide.taken
    if not cells:
        columns = ", ".join(sheet.columns)
        line = sheet.rows[0][0] - 1 if sheet.rows else 1
        why = "no column is a load or a known metric, and no head is a load point"
        if figures_of(sheet):
            why += ": its columns are only held against each other"
        return [], [LeftOver(sheet.file, max(line, 1), "table", "", columns, why)]
    return cells, [*_left_columns(sheet, taken), *_left_fields(sheet, wide)]


def figures_of(sheet: Sheet) -> int:
    """Returns how many figures a sheet without a known metric has in columns that can be held against each
    other; 0 where there are fewer than three such columns.
    """
    columns = [[bool(read_cell(row[name]).figures) for _, row in sheet.rows] for name in sheet.columns]
    counts = [sum(column) for column in columns if 2 * sum(column) > len(column)]
    return sum(counts) if len(counts) >= _LEAST_COLUMNS and len(sheet.rows) > 1 else 0


def _left_columns(sheet: Sheet, taken: set[tuple[int, str]]) -> Iterator[LeftOver]:
    used = {column for _, column in taken}
    for column in sheet.columns:
        if column not in used and any(not NOTHING.fullmatch(row[column]) for _, row in sheet.rows):
            yield LeftOver(sheet.file, sheet.rows[0][0], "column", column, column, "no known metric")


def _left_fields(sheet: Sheet, wide: WideSheet) -> Iterator[LeftOver]:
    used = {column for _, column in wide.taken}
    for number, (line, row) in enumerate(sheet.rows):
        for column in sheet.columns:
            text = row[column]
            if rest := wide.partly.get((number, column)):
                yield LeftOver(
                    sheet.file, line, "cell", column, text, f"only the figure before {rest!r} is read"
                )
            elif column in used and (number, column) not in wide.taken and not NOTHING.fullmatch(text):
                yield LeftOver(
                    sheet.file, line, "cell", column, text, "no figure, or no load point in its row"
                )


def _long(sheet: Sheet) -> Iterator[Cell]:
    axes = {column: axis for column in sheet.columns if (axis := axis_of(column))}
    ordered = sorted(axes, key=lambda column: AXES.index(axes[column]))
    paired = sheet.has("param", "value")
    for line, row in sheet.rows:
        figure = _printed(row)
        if figure is None:
            continue
        column, rung = _rung(row, ordered)
        named = [(name, text) for name, text in row.items() if name not in _NAMES and name != column and text]
        if paired:
            named = [(name, text) for name, text in named if name not in ("param", "value")]
            named += [(row["param"], row["value"])] if row["param"] else []
        table = row.get("table") or sheet.name
        yield Cell(
            sheet.file,
            line,
            row.get("study", ""),
            table,
            row["metric"],
            row.get("unit", ""),
            tuple(named),
            axes.get(column, ""),
            rung,
            figure,
        )


def _printed(row: Mapping[str, str]) -> Figure | None:
    """Returns the result with the rounding of its print, `930K`, where the file has both."""
    figure, printed = parse_figure(row["result"]), parse_figure(row.get("as_published", ""))
    if figure is None or printed is None:
        return figure
    return printed if abs(printed.value - figure.value) <= printed.step else figure


def _rung(row: Mapping[str, str], columns: list[str]) -> tuple[str, float | None]:
    for column in columns:
        figure = parse_figure(row[column])
        if figure is not None:
            return column, figure.value
    return "", None
