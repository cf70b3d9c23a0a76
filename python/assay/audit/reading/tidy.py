"""Reads the cells of a sheet in long form (a figure a row) or wide form (a load point a row, a series a
column).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from assay.audit.figure import Figure, parse_figure
from assay.audit.metrics import role_of
from assay.audit.model import Cell, Levels, Sheet

AXES = ("threads", "connections", "clients", "concurrency", "users", "terminals", "iodepth", "rate", "sample")
CONCURRENCY = frozenset(AXES) - {"rate", "sample"}
_NAMES = {"study", "table", "source_line", "source_column", "metric", "unit", "result", "as_published"}
_UNIT = re.compile(r"[(\[]([^)\]]+)[)\]]")
_UNITS = re.compile(r"(1|)/s|[kKMG]?i?[bB](it)?/s|[mun]?s|µs|%|sec")


def cells_of_sheet(sheet: Sheet) -> Iterator[Cell]:
    """Yields the figures of a result table; none for a table that holds something else."""
    if sheet.has("metric", "result"):
        yield from _long(sheet)
    elif sheet.columns and sheet.columns[0].strip().lower() in AXES and len(sheet.rows) >= 2:
        yield from _wide(sheet)


def _long(sheet: Sheet) -> Iterator[Cell]:
    axes = [name for name in AXES if name in sheet.columns]
    paired = sheet.has("param", "value")
    for line, row in sheet.rows:
        figure = _printed(row)
        if figure is None:
            continue
        axis, rung = _rung(row, axes)
        named = [(name, text) for name, text in row.items() if name not in _NAMES and name != axis and text]
        if paired:
            named = [(name, text) for name, text in named if name not in ("param", "value")]
            named += [(row["param"], row["value"])] if row["param"] else []
        table = row.get("table") or sheet.file.rsplit(".", 1)[0]
        yield Cell(
            sheet.file,
            line,
            row.get("study", ""),
            table,
            row["metric"],
            row.get("unit", ""),
            tuple(named),
            axis,
            rung,
            figure,
        )


def _printed(row: Mapping[str, str]) -> Figure | None:
    """Returns the result with the rounding of its print, `930K`, where the file has both."""
    figure, printed = parse_figure(row["result"]), parse_figure(row.get("as_published", ""))
    if figure is None or printed is None:
        return figure
    return printed if abs(printed.value - figure.value) <= printed.step else figure


def _rung(row: Mapping[str, str], axes: list[str]) -> tuple[str, float | None]:
    for axis in axes:
        figure = parse_figure(row[axis])
        if figure is not None:
            return axis, figure.value
    return "", None


def _wide(sheet: Sheet) -> Iterator[Cell]:
    axis = sheet.columns[0]
    columns = [(column, *_metric_of(column)) for column in sheet.columns[1:]]
    words = [column for column, *_ in columns if not _is_number_column(sheet, column)]
    for line, row in sheet.rows:
        rung = parse_figure(row[axis])
        for column, metric, unit, series in columns:
            figure = parse_figure(row[column])
            if figure is None or rung is None or column in words:
                continue
            levels: Levels = tuple((word, row[word]) for word in words)
            levels += (("series", series),) if series else ()
            yield Cell(
                sheet.file,
                line,
                "",
                sheet.file,
                metric,
                unit,
                levels,
                axis.strip().lower(),
                rung.value,
                figure,
            )


def _is_number_column(sheet: Sheet, column: str) -> bool:
    figures = sum(parse_figure(row[column]) is not None for _, row in sheet.rows)
    return 2 * figures > len(sheet.rows)


def _metric_of(column: str) -> tuple[str, str, str]:
    """Returns a wide column's metric, unit and series: `tps deadline` is tps of deadline, `p95 latency (ms)`
    one metric.
    """
    bracket = _UNIT.search(column)
    unit = bracket[1] if bracket and _UNITS.fullmatch(bracket[1]) else ""
    bare = (column.replace(bracket[0], " ") if bracket and unit else column).strip()
    words = re.split(r"[\s:;/\[\]()]+", bare)
    if role_of(bare, unit) is None:
        return "value", unit, bare
    kept = [word for word in words if word and _says_what(word)]
    series = " ".join(word for word in words if word and not _says_what(word))
    return (" ".join(kept) or bare).lower(), unit, series


def _says_what(word: str) -> bool:
    known = r"avg|mean|average|min|max|minimum|maximum|stdev|p\d+(\.\d+)?|\d+(th|%)|percentile"
    known += r"|read|write|total|cpu|ms|s|sec|per"
    return role_of(word) is not None or re.fullmatch(known, word.lower()) is not None
