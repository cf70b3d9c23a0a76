"""Reads CSV and TSV files: a header, then rows."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from pathlib import Path

from assay.errors import InputError

Rows = tuple[tuple[int, Mapping[str, str]], ...]


def rows_of(file: Path, text: str, delimiter: str) -> tuple[tuple[str, ...], Rows] | None:
    """Returns header and rows with their lines in the file; None for an empty file.

    Raises InputError where a row has more fields than the header, or the text is no CSV.
    """
    reader = csv.reader(io.StringIO(text), delimiter=delimiter)
    header: tuple[str, ...] = ()
    rows: list[tuple[int, Mapping[str, str]]] = []
    try:
        for fields in reader:
            if not any(field.strip() for field in fields):
                continue
            if not header:
                header = tuple(field.strip() for field in fields)
                continue
            if len(fields) > len(header):
                raise InputError(
                    f"{file}: line {reader.line_num} has {len(fields)} fields, the header {len(header)}",
                    hint="put fields that hold the delimiter in double quotes",
                )
            padded = [*fields, *[""] * (len(header) - len(fields))]
            rows.append((reader.line_num, dict(zip(header, (one.strip() for one in padded), strict=True))))
    except csv.Error as error:
        raise InputError(f"{file}: line {reader.line_num}: {error}", hint="give a table as CSV") from error
    return (header, tuple(rows)) if header else None
