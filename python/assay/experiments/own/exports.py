"""Reads tables of a server that were exported: as tab- or comma-separated text with a first line of names, or
as JSON.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import Any

from assay.base.errors import InputError
from assay.experiments.own.whole_file import WholeFile

_MOST_BYTES = 256 << 20
_FIRST_ROWS = 1 << 16  # letters of JSON that hold every name of a column


def rows_of_export(file: WholeFile, *names: str) -> list[dict[str, Any]] | None:
    """Returns the rows of an export, by names in capitals; None for a file that is none, or lacks one of
    these names. Raises InputError for one that cannot be read.
    """
    is_json = file.head.lstrip().startswith(("{", "["))
    first = file.head[:_FIRST_ROWS].upper() if is_json else _heading(file.head)
    if not all(name in first for name in names):
        return None
    text = file.text("an export", _MOST_BYTES)
    return _json_rows(file.path, text) if is_json else _table_rows(file.path, text)


def _json_rows(path: Path, text: str) -> list[dict[str, Any]]:
    try:
        try:
            found = json.loads(text)
        except json.JSONDecodeError:
            found = [json.loads(line) for line in text.splitlines() if line.strip()]
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: is not whole JSON: {error}") from error
    rows = found if isinstance(found, list) else [found]
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, dict):
            raise InputError(f"{path}: row {number}: expected an object with the columns of a row")
    return [{str(name).upper(): value for name, value in row.items()} for row in rows]


def _heading(text: str) -> list[str]:
    """Returns the names in the first line of a table; none of a text that is no table."""
    first = text.partition("\n")[0].rstrip("\r")
    if "\t" in first:
        return first.upper().split("\t")
    try:
        return [name.strip().upper() for name in next(csv.reader([first]), [])]
    except csv.Error:
        return []


def _table_rows(path: Path, text: str) -> list[dict[str, Any]]:
    head = _heading(text)
    rows: Sequence[Sequence[str | None]]
    if "\t" in text.partition("\n")[0]:
        # As `mysql --batch` prints it: no quotes, line ends and tabs as \n and \t.
        lines = [line.rstrip("\r") for line in text.split("\n")[1:] if line]
        rows = [[_unescaped(field) for field in line.split("\t")] for line in lines]
    else:
        csv.field_size_limit(1 << 24)
        try:
            rows = [row for row in csv.reader(StringIO(text, newline="")) if row][1:]
        except csv.Error as error:
            raise InputError(f"{path}: is not whole CSV: {error}") from error
    for number, row in enumerate(rows, start=1):
        if len(row) != len(head):
            raise InputError(
                f"{path}: row {number}: has {len(row)} columns, and the first line {len(head)} names"
            )
    return [dict(zip(head, row, strict=True)) for row in rows]


def _unescaped(field: str) -> str | None:
    if field == "NULL":
        return None
    out, letters = [], iter(field)
    for letter in letters:
        if letter == "\\":
            after = next(letters, "\\")
            letter = {"n": "\n", "t": "\t", "0": "\0"}.get(after, after)
        out.append(letter)
    return "".join(out)
