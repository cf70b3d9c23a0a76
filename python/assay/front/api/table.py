"""A table in memory, shown as HTML in a notebook, converted to other forms on request."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any

from assay.base.errors import InputError
from assay.base.numbers import number
from assay.front.api.columns import meaning_of, unit_of

_SHOWN_ROWS = 20
_EXCHANGED = {
    kind + dimension for kind in ("VARCHAR", "BIGINT", "DOUBLE", "BOOLEAN") for dimension in ("", "[]")
}
"""Kinds of columns that other libraries take directly."""


@dataclass(frozen=True)
class Column:
    """A column: its name, DuckDB's name of its type (empty where it has none), its values, its unit."""

    name: str
    kind: str
    values: list[Any]
    unit: str = ""

    @property
    def meaning(self) -> str:
        """The meaning of the column; empty where its name says it."""
        return meaning_of(self.name)


@dataclass(frozen=True, repr=False)
class Table:
    """Named columns and rows, which cannot be changed.

    `columns` names them and `units` has the unit of each that has one. `arrow()`, `to_pandas()` and
    `to_polars()` give other forms; programs that take Arrow's stream interface take a Table directly.
    """

    _columns: tuple[Column, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns, in order."""
        return tuple(one.name for one in self._columns)

    @property
    def units(self) -> dict[str, str]:
        """The unit of each column that has one; the unit of a `value` is in the column `unit`."""
        return {one.name: one.unit for one in self._columns if one.unit}

    @property
    def meanings(self) -> dict[str, str]:
        """The meaning of each column whose name does not say it."""
        return {one.name: one.meaning for one in self._columns if one.meaning}

    def __len__(self) -> int:
        return len(self._columns[0].values) if self._columns else 0

    def __getitem__(self, column: str) -> list[Any]:
        """Returns the values of one column. Raises KeyError for an unknown column."""
        for one in self._columns:
            if one.name == column:
                return list(one.values)
        raise KeyError(f"{column}; there are {', '.join(self.columns)}")

    def rows(self) -> list[dict[str, Any]]:
        """Returns each row as a dictionary of values by column."""
        names = self.columns
        return [dict(zip(names, row, strict=True)) for row in self._rows()]

    def where(self, **wanted: Any) -> Table:
        """Returns the rows in which every named column has the given value: `where(load=64, word="better")`.

        Raises InputError for an unknown column.
        """
        for column in wanted:
            if column not in self.columns:
                raise InputError(
                    f"the table has no column {column}", hint=f"it has {', '.join(self.columns)}"
                )
        chosen = [
            at
            for at, row in enumerate(self.rows())
            if all(row[column] == value for column, value in wanted.items())
        ]
        return Table(
            tuple(
                Column(one.name, one.kind, [one.values[at] for at in chosen], one.unit)
                for one in self._columns
            )
        )

    def arrow(self) -> Any:
        """Returns the table as a pyarrow.Table; units and meanings are metadata of its fields. Raises
        InputError where pyarrow is not installed.
        """
        _package("pyarrow")
        from assay.front.api.as_arrow import as_arrow

        return as_arrow(self._columns)

    def to_pandas(self) -> Any:
        """Returns the table as a pandas.DataFrame. Raises InputError where pandas or pyarrow is not
        installed.
        """
        _package("pandas")
        return self.arrow().to_pandas()

    def to_polars(self) -> Any:
        """Returns the table as a polars.DataFrame. Raises InputError where polars or pyarrow is not
        installed.
        """
        return _package("polars").from_arrow(self.arrow())

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        if not all(one.kind in _EXCHANGED for one in self._columns):
            return self.arrow().__arrow_c_stream__(requested_schema)
        from assay.results.store import columns as stored

        kinds = {one.name: one.kind for one in self._columns}
        arrays = [stored.array(one.kind, one.values) for one in self._columns]
        return stored.ColumnTable(kinds, [arrays]).__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        return f"<assay.Table of {len(self)} rows: {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        heads = "".join(map(_head, self._columns))
        shown = self._rows()[:_SHOWN_ROWS]
        body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in shown)
        more = len(self) - len(shown)
        rest = f"<p>and {more} more rows</p>" if more > 0 else ""
        return f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>{rest}"

    def _rows(self) -> list[tuple[Any, ...]]:
        return list(zip(*(one.values for one in self._columns), strict=True))


def of_answer(names: Sequence[str], kinds: Sequence[str], rows: Sequence[Sequence[Any]]) -> Table:
    """Returns a Table of rows, whose columns have these names and DuckDB's names of their types."""
    values = zip(*rows, strict=True) if rows else ((),) * len(names)
    return Table(
        tuple(
            Column(name, kind, list(column), unit_of(name))
            for name, kind, column in zip(names, kinds, values, strict=True)
        )
    )


def of_rows(kinds: Mapping[str, str], rows: Iterable[Mapping[str, Any]]) -> Table:
    """Returns a Table of dictionaries with exactly these columns."""
    listed = [[_as_kind(kind, row.get(name)) for name, kind in kinds.items()] for row in rows]
    return of_answer(tuple(kinds), tuple(kinds.values()), listed)


def of_columns(
    names: Sequence[str], rows: Sequence[Sequence[Any]], units: Mapping[str, str] | None = None
) -> Table:
    """Returns a Table whose columns have the type of their values; text where those have several."""
    found = []
    for position, name in enumerate(names):
        kind, values = _of_one_kind([row[position] for row in rows])
        found.append(Column(name, kind, values, (units or {}).get(name) or unit_of(name)))
    return Table(tuple(found))


def _of_one_kind(values: list[Any]) -> tuple[str, list[Any]]:
    for kind, types in (("BOOLEAN", bool), ("BIGINT", int), ("DOUBLE", int | float), ("VARCHAR", str)):
        if all(value is None or _is_of(value, types) for value in values):
            plain = float if kind == "DOUBLE" else lambda value: value
            return kind, [None if value is None else plain(value) for value in values]
    return "VARCHAR", [None if value is None else str(value) for value in values]


def _as_kind(kind: str, value: Any) -> Any:
    if value is None or kind in ("VARCHAR", "BOOLEAN"):
        return value
    return {"DOUBLE": float, "BIGINT": int}.get(kind, list)(value)


def _is_of(value: Any, types: Any) -> bool:
    return isinstance(value, types) and (types is bool or not isinstance(value, bool))


def _package(name: str) -> ModuleType:
    try:
        return import_module(name)
    except ModuleNotFoundError:
        raise InputError(
            f"{name} is not installed here",
            hint=f"pip install {name}, or use rows(), which needs nothing else",
        ) from None


def _head(column: Column) -> str:
    heading = f"{column.name} ({column.unit})" if column.unit else column.name
    return f'<th title="{_escaped(column.meaning)}">{_escaped(heading)}</th>'


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
