"""Says whether the points in the figures of a table separate thousands, as in `1.000`, or decimals."""

from __future__ import annotations

import re
from collections.abc import Sequence

from assay.base.errors import InputError
from assay.results.audit.reading.grid import Row

_OPEN = re.compile(r"[+-]?[1-9]\d{0,2}\.\d{3}(?=\s*(?:[a-zµ%][a-z/]*)?$)", re.IGNORECASE)
"""A figure that may be thousands, or have three decimals."""
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(?:\.\d{3})+(?![\d.,])")
_DECIMAL_COMMA = re.compile(r"[+-]?\d[\d.]*,(?:\d{1,2}|\d{4,})(?!\d)")
_SEVERAL = re.compile(r"[+-]?\d{1,3}(?:\.\d{3}){2,}(?![\d.])")
_DECIMAL_POINT = re.compile(r"[+-]?(?:0|\d{4,}|\d{1,3}(?:,\d{3})+)\.\d+|[+-]?\d+\.(?:\d{1,2}|\d{4,})(?!\d)")


def without_points(file: object, rows: Sequence[Row], *, is_of_semicolons: bool) -> list[Row]:
    """Returns the rows; of a table whose figures have decimal commas, thousands without the points between
    them.

    Spreadsheets write semicolons between fields where a comma is the decimal sign. Raises InputError for such
    a table in which no figure shows which sign is which.
    """
    fields = [field for _, row in rows[1:] for field in row]
    has_points = any(_DECIMAL_POINT.match(field) for field in fields)
    has_commas = any(_DECIMAL_COMMA.match(field) or _SEVERAL.match(field) for field in fields)
    if has_points or not (has_commas or is_of_semicolons):
        return list(rows)
    if not has_commas:
        _refuse_open(file, rows)
    return [rows[0], *((line, [_plain(field) for field in row]) for line, row in rows[1:])]


def _refuse_open(file: object, rows: Sequence[Row]) -> None:
    for line, row in rows[1:]:
        for field in row:
            if _OPEN.match(field):
                whole = field.replace(".", "")
                raise InputError(
                    f"{file}: line {line}: {field} can mean {whole}, or a number with three decimals",
                    hint="write the figures of the table without a sign between thousands",
                )


def _plain(field: str) -> str:
    found = _THOUSANDS.match(field)
    return field if found is None else found[0].replace(".", "") + field[found.end() :]
