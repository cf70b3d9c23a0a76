"""Reads CSV and TSV files: a header, then rows."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from assay.base.errors import InputError
from assay.results.audit.reading.grid import Grid, Row
from assay.results.audit.reading.points import without_points

_DELIMITERS = (",", ";", "\t", "|")


def grids_of(file: Path, text: str, delimiter: str) -> list[Grid]:
    """Returns the tables of a file with their lines in it; none of an empty file.

    Raises InputError where a row has more fields than the header, the text is no CSV, or its figures can be
    read in two ways.
    """
    delimiter = _found(text, delimiter)
    rows = list(_rows(file, text, delimiter))
    while len(rows) > 2 and len(rows[0][1]) == 1 and len(rows[1][1]) > 1:
        rows.pop(0)  # a title
    if not rows:
        return []
    header = len(rows[0][1])
    for line, fields in rows:
        if len(fields) > header:
            raise InputError(
                f"{file}: line {line} has {len(fields)} fields, the header {header}",
                hint="put fields that hold the delimiter in double quotes",
            )
    return [Grid(file.name, without_points(file, rows, is_of_semicolons=delimiter == ";"))]


def _found(text: str, delimiter: str) -> str:
    """Returns the delimiter of the first line: the given one, unless the line has another alone."""
    first = text.lstrip().partition("\n")[0]
    if delimiter in first:
        return delimiter
    return max(_DELIMITERS, key=first.count) if any(one in first for one in _DELIMITERS) else delimiter


def _rows(file: Path, text: str, delimiter: str) -> Iterator[Row]:
    reader = csv.reader(io.StringIO(text), delimiter=delimiter)
    try:
        for fields in reader:
            if any(field.strip() for field in fields):
                yield reader.line_num, [field.strip() for field in fields]
    except csv.Error as error:
        raise InputError(f"{file}: line {reader.line_num}: {error}", hint="give a table as CSV") from error
