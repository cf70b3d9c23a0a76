"""Reads files and folders into the material of an audit."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from assay.audit.model import Cell, Material, Sheet
from assay.audit.reading.delimited import rows_of
from assay.audit.reading.pasted import pasted_tables
from assay.audit.reading.results import cells_of_results
from assay.audit.reading.tidy import cells_of_sheet
from assay.errors import InputError
from assay.folder import ResultsFolder

TEXTS = (".csv", ".tsv", ".txt", ".md")


def read_material(paths: Sequence[Path]) -> Material:
    """Reads all tables in these files and folders.

    A folder is one that `assay run` made, or holds tables. Raises InputError for any other folder, for a file
    that is not text, and where no table is found at all.
    """
    sheets: list[Sheet] = []
    cells: list[Cell] = []
    repeats: dict[str, int] = {}
    for path in paths:
        if path.is_dir() and ResultsFolder(path).study_file.is_file():
            found, blocks = cells_of_results(path)
            cells += found
            repeats[path.name] = blocks
            continue
        for file in _files(path):
            for sheet in _sheets(file):
                sheets.append(sheet)
                cells += cells_of_sheet(sheet)
    if not sheets and not cells:
        raise InputError(
            f"{', '.join(map(str, paths))}: holds no table",
            hint="give CSV files with a header, tables copied into a text file, or a results folder",
        )
    return Material(tuple(sheets), tuple(cells), repeats)


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


def _sheets(file: Path) -> list[Sheet]:
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"{file}: cannot be read as text: {error}", hint="give a table as CSV or plain text, in UTF-8"
        ) from error
    if file.suffix in (".csv", ".tsv"):
        rows = rows_of(file, text, "\t" if file.suffix == ".tsv" else ",")
        return [Sheet(file.name, rows[0], rows[1])] if rows else []
    return pasted_tables(file.name, text)
