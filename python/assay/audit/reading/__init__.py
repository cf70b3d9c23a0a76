"""Reads files and folders into the material of an audit."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from assay.audit.model import Cell, LeftOver, Material, Sheet
from assay.audit.reading.delimited import grids_of
from assay.audit.reading.grid import sheets_of
from assay.audit.reading.pasted import pasted_grids
from assay.audit.reading.results import cells_of_results
from assay.audit.reading.tidy import cells_of_sheet
from assay.errors import InputError
from assay.folder import ResultsFolder

TEXTS = (".csv", ".tsv", ".txt", ".md")


def read_material(paths: Sequence[Path]) -> Material:
    """Reads all tables in these files and folders.

    A folder is one that `assay run` made, or holds tables. Raises InputError for any other folder, for a file
    that is not text, and where no table is found at all, or no figure in any.
    """
    sheets: list[Sheet] = []
    cells: list[Cell] = []
    left: list[LeftOver] = []
    repeats: dict[str, int] = {}
    for path in paths:
        if path.is_dir() and ResultsFolder(path).study_file.is_file():
            found, blocks = cells_of_results(path)
            cells += found
            repeats[path.name] = blocks
            continue
        for file in _files(path):
            of_file, other = _sheets(file)
            left += other
            for sheet in of_file:
                sheets.append(sheet)
                figures, leftovers = cells_of_sheet(sheet)
                cells += figures
                left += leftovers
    if not sheets and not cells:
        raise InputError(
            f"{', '.join(map(str, paths))}: holds no table",
            hint="give CSV files with a header, tables copied into a text file, or a results folder",
        )
    if not cells and not any(sheet.is_known for sheet in sheets):
        raise InputError(
            f"{', '.join(map(str, paths))}: no figure was read: {_named(left)}",
            hint="name the load in the head of its column or above the table (threads, connections, clients,"
            " iodepth, rate), or the metrics (tps, qps, iops, p95 latency (ms))",
        )
    return Material(tuple(sheets), tuple(cells), repeats, tuple(left))


def _named(left: Sequence[LeftOver]) -> str:
    tables = [one for one in left if one.part == "table"]
    named = "; ".join(f"{one.file}: line {one.line}: {one.text}: {one.why}" for one in tables[:3])
    more = len(tables) - 3
    return f"{named}{f' and {more} more tables' if more > 0 else ''}"


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    found = sorted(file for file in path.iterdir() if file.suffix in (".csv", ".tsv"))
    if not found:
        raise InputError(
            f"{path}: holds neither tables nor results",
            hint="give a folder with .csv or .tsv files, or one that `assay run` made",
        )
    return found


def _sheets(file: Path) -> tuple[list[Sheet], list[LeftOver]]:
    """Returns the sheets of a file, and the lines with figures that belong to none."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"{file}: cannot be read as text: {error}", hint="give a table as CSV or plain text, in UTF-8"
        ) from error
    other: list[tuple[int, str]] = []
    if file.suffix in (".csv", ".tsv"):
        grids = grids_of(file, text, "\t" if file.suffix == ".tsv" else ",")
    else:
        grids, other = pasted_grids(file.name, text)
    return [sheet for grid in grids for sheet in sheets_of(grid)], [
        LeftOver(file.name, line, "line", "", one.strip()[:120], "belongs to no table") for line, one in other
    ]
