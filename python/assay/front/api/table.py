"""A table in memory, kept as Arrow, shown as HTML in a notebook, converted to other forms on request."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any

from assay.base.arrow import pa
from assay.base.errors import InputError
from assay.base.numbers import number
from assay.front.api.columns import meaning_of, unit_of

_SHOWN_ROWS = 20


@dataclass(frozen=True, repr=False)
class Table:
    """Named columns and rows, which cannot be changed.

    `columns` names them and `units` has the unit of each that has one. `arrow()`, `to_pandas()` and
    `to_polars()` give other forms; programs that take Arrow's stream interface take a Table directly.
    """

    _arrow: pa.Table

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns, in order."""
        return tuple(self._arrow.column_names)

    @property
    def units(self) -> dict[str, str]:
        """The unit of each column that has one; the unit of a `value` is in the column `unit`."""
        return {field.name: said for field in self._arrow.schema if (said := _said(field, b"unit"))}

    @property
    def meanings(self) -> dict[str, str]:
        """The meaning of each column whose name does not say it."""
        return {field.name: said for field in self._arrow.schema if (said := _said(field, b"meaning"))}

    def __len__(self) -> int:
        return int(self._arrow.num_rows)

    def __getitem__(self, column: str) -> list[Any]:
        """Returns the values of one column. Raises KeyError for an unknown column."""
        if column not in self.columns:
            raise KeyError(f"{column}; there are {', '.join(self.columns)}")
        values: list[Any] = self._arrow.column(column).to_pylist()
        return values

    def rows(self) -> list[dict[str, Any]]:
        """Returns each row as a dictionary of values by column."""
        found: list[dict[str, Any]] = self._arrow.to_pylist()
        return found

    def where(self, **wanted: Any) -> Table:
        """Returns the rows in which every named column has the given value: `where(load=64, word="better")`.

        Raises InputError for an unknown column.
        """
        for column in wanted:
            if column not in self.columns:
                raise InputError(
                    f"the table has no column {column}", hint=f"it has {', '.join(self.columns)}"
                )
        mask = [all(row[column] == value for column, value in wanted.items()) for row in self.rows()]
        return Table(self._arrow.filter(pa.array(mask, pa.bool_())))

    def arrow(self) -> pa.Table:
        """Returns the table as a pyarrow.Table; units and meanings are metadata of its fields."""
        return self._arrow

    def to_pandas(self) -> Any:
        """Returns the table as a pandas.DataFrame. Raises InputError where pandas is not installed."""
        _package("pandas")
        return self._arrow.to_pandas()

    def to_polars(self) -> Any:
        """Returns the table as a polars.DataFrame. Raises InputError where polars is not installed."""
        return _package("polars").from_arrow(self._arrow)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._arrow.__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        return f"<assay.Table of {len(self)} rows: {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        heads = "".join(map(_head, self._arrow.schema))
        shown = self._arrow.slice(0, _SHOWN_ROWS).to_pylist()
        body = "".join(f"<tr>{''.join(map(_cell, row.values()))}</tr>" for row in shown)
        more = len(self) - len(shown)
        rest = f"<p>and {more} more rows</p>" if more > 0 else ""
        return f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>{rest}"


def described(table: pa.Table, units: Mapping[str, str] | None = None) -> Table:
    """Returns a Table whose fields have unit and meaning, from `units` or else by the column's name."""
    fields = []
    for field in table.schema:
        said = {
            "unit": (units or {}).get(field.name) or unit_of(field.name),
            "meaning": meaning_of(field.name),
        }
        fields.append(field.with_metadata({key: text for key, text in said.items() if text}))
    return Table(table.cast(pa.schema(fields)))


def of_rows(schema: Mapping[str, pa.DataType], rows: Iterable[Mapping[str, Any]]) -> Table:
    """Returns a Table of dictionaries with exactly these columns."""
    whole = pa.schema(list(schema.items()))
    return described(pa.Table.from_pylist([dict(row) for row in rows], schema=whole))


def of_columns(
    names: Sequence[str], rows: Sequence[Sequence[Any]], units: Mapping[str, str] | None = None
) -> Table:
    """Returns a Table whose columns have the type of their values; text where those have several."""
    columns = {}
    for position, name in enumerate(names):
        values = [row[position] for row in rows]
        try:
            columns[name] = pa.array(values)
        except (pa.ArrowInvalid, pa.ArrowTypeError):
            columns[name] = pa.array([None if value is None else str(value) for value in values], pa.string())
    return described(pa.table(columns), units)


def _package(name: str) -> ModuleType:
    try:
        return import_module(name)
    except ModuleNotFoundError:
        raise InputError(
            f"{name} is not installed here",
            hint=f"pip install {name}, or use arrow() and rows(), which need nothing else",
        ) from None


def _said(field: pa.Field, key: bytes) -> str:
    metadata: dict[bytes, bytes] = field.metadata or {}
    return metadata.get(key, b"").decode()


def _head(field: pa.Field) -> str:
    unit, meaning = _said(field, b"unit"), _said(field, b"meaning")
    heading = f"{field.name} ({unit})" if unit else str(field.name)
    return f'<th title="{_escaped(meaning)}">{_escaped(heading)}</th>'


def _cell(value: Any) -> str:
    match value:
        case None:
            return "<td></td>"
        case bool():
            return f"<td>{'yes' if value else 'no'}</td>"
        case int() | float():
            return f'<td style="text-align: right">{_escaped(number(value))}</td>'
        case list():
            return f"<td>{_escaped(', '.join(map(str, value)))}</td>"
    return f'<td style="text-align: left">{_escaped(str(value))}</td>'


def _escaped(text: str) -> str:
    return html.escape(text)
