"""Reads files and folders into the material of an audit."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from assay.base.decoding import reading
from assay.base.errors import InputError
from assay.base.packed import COMPRESSED
from assay.base.printable import shortened
from assay.design.folder import ResultsFolder
from assay.results.audit.model import Cell, LeftOver, Material, Sheet
from assay.results.audit.reading.decoding import Decoded, decode, read_bytes, without_prefixes
from assay.results.audit.reading.delimited import grids_of
from assay.results.audit.reading.grid import Grid, sheets_of, without_long_texts
from assay.results.audit.reading.pasted import pasted_grids
from assay.results.audit.reading.prose import is_prose, prose_of
from assay.results.audit.reading.results import cells_of_results
from assay.results.audit.reading.tidy import cells_of_sheet, figures_of

TEXTS = (".csv", ".tsv", ".txt", ".md")
_LARGEST = 64 << 20  # bytes
_MOST_LINES = 50_000
"""Lines of a file with tables: audits of more take minutes."""


def read_material(paths: Sequence[Path]) -> Material:
    """Reads all tables in these files and folders.

    A folder is one that `assay run` made, or holds tables. Raises InputError for any other folder, for a file
    that is not text, and where no table is found at all, or no figure in any.
    """
    sheets: list[Sheet] = []
    cells: list[Cell] = []
    left: list[LeftOver] = []
    decoded: list[str] = []
    unnamed: list[int] = []
    repeats: dict[str, int] = {}
    for path in paths:
        if path.is_dir() and ResultsFolder(path).study_file.is_file():
            found, blocks = cells_of_results(path)
            cells += found
            repeats[path.name] = blocks
            continue
        for file in _files(path):
            with reading(file, hint="give a table as CSV or plain text, in UTF-8"):
                of_file, other, text = _sheets(file)
                left += other
                decoded += [f"{file.name}: {how}" for how in text.said]
                for sheet in of_file:
                    sheets.append(sheet)
                    figures, leftovers = cells_of_sheet(sheet)
                    if not figures and not sheet.is_known and (number := figures_of(sheet)):
                        unnamed.append(number)
                    cells += figures
                    left += leftovers
    if not cells and all(is_prose(sheet) for sheet in sheets):
        raise InputError(
            f"{', '.join(map(str, paths))}: holds no table",
            hint="give CSV files with a header, tables copied into a text file, or a results folder",
        )
    if not cells and not unnamed and not any(sheet.is_known and not is_prose(sheet) for sheet in sheets):
        raise InputError(
            f"{', '.join(map(str, paths))}: no figure was read: {_named(left)}",
            hint="name the load in the head of its column or above the table (threads, connections, clients,"
            " iodepth, rate), or the metrics (tps, qps, iops, p95 latency (ms))",
        )
    return Material(tuple(sheets), tuple(cells), repeats, tuple(left), tuple(decoded), tuple(unnamed))


def _named(left: Sequence[LeftOver]) -> str:
    tables = [one for one in left if one.part == "table"]
    named = "; ".join(
        f"{one.file}: line {one.line}: {shortened(one.text, 200)}: {one.why}" for one in tables[:3]
    )
    more = len(tables) - 3
    return f"{named}{f' and {more} more tables' if more > 0 else ''}"


def _is_claim(text: str) -> bool:
    # claims are read with the words of heads, which are in this package
    from assay.results.audit.claims.plain import is_plain
    from assay.results.audit.claims.sentences import is_of_a_change
    from assay.results.audit.claims.words import NO_EFFECT

    return is_of_a_change(text) or is_plain(text) or NO_EFFECT.search(text) is not None


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


def _sheets(file: Path) -> tuple[list[Sheet], list[LeftOver], Decoded]:
    """Returns the sheets of a file, the lines with figures that belong to none, and its text."""
    plain = decode(file, read_bytes(file, _LARGEST), _LARGEST)
    if (lines := plain.text.count("\n")) > _MOST_LINES:
        raise InputError(
            f"{file}: has {lines:,} lines, and tables of results have at most {_MOST_LINES:,}",
            hint="give the table of results, or the means of its readings",
        )
    suffix = Path(file.stem).suffix if file.suffix in COMPRESSED else file.suffix
    if suffix in (".csv", ".tsv"):
        grids = grids_of(file, plain.text, "\t" if suffix == ".tsv" else ",")
        return *_of_grids(grids), plain
    decoded = [plain, *without_prefixes(plain, of_tables=True)][-1]
    pasted, other = pasted_grids(file.name, decoded.text)
    sheets, left = _of_grids(pasted)
    left += [
        LeftOver(file.name, line, "line", "", one.strip()[:120], "belongs to no table") for line, one in other
    ]
    prose = prose_of(file.name, decoded.text, pasted, _is_claim)
    if prose is not None:
        sheets.append(prose)
        read = {line for line, _ in prose.rows}
        left = [one for one in left if one.line not in read]
    return sheets, left, decoded


def _of_grids(grids: Sequence[Grid]) -> tuple[list[Sheet], list[LeftOver]]:
    """Returns the sheets of tables, and the fields that are left out."""
    read = [without_long_texts(grid) for grid in grids]
    sheets = [sheet for grid, _ in read for sheet in sheets_of(grid)]
    return sheets, [one for _, left in read for one in left]
