"""Columns of a table in memory, which DuckDB reads where they lie: buffers as Arrow lays them out, in the
stream interface that libraries exchange tables by.

The kinds of columns are DuckDB's names of its types. `array` takes values of Python, and none that its kind
does not hold: no figure is rounded, no text read as a number.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from typing import Any

import nanoarrow as na
import numpy as np
from nanoarrow.c_array_stream import CArrayStream
from numpy.typing import NDArray

TEXT, WHOLE, REAL, FLAG = "VARCHAR", "BIGINT", "DOUBLE", "BOOLEAN"
LIST = "[]"
WHOLES, REALS = WHOLE + LIST, REAL + LIST

_SCALARS = {
    TEXT: na.large_string(),
    WHOLE: na.int64(),
    REAL: na.float64(),
    FLAG: na.bool_(),
}
_TYPES: dict[str, tuple[type, ...]] = {
    TEXT: (str,),
    WHOLE: (int, np.integer),
    REAL: (float, int, np.floating, np.integer),
    FLAG: (bool, np.bool_),
}
_CALLED = {TEXT: "text", WHOLE: "a whole number", REAL: "a number", FLAG: "true or false"}


def array(kind: str, values: Sequence[Any]) -> Any:
    """Returns a column of these values; None is no value. Raises ValueError for one that the kind does not
    hold.
    """
    missing = np.fromiter((value is None for value in values), np.bool_, len(values))
    valid = _bits(~missing) if missing.any() else None
    if kind.endswith(LIST):
        lists = [() if value is None else value for value in values]
        ends = np.cumsum([0, *map(len, lists)])
        inner = array(kind.removesuffix(LIST), list(chain.from_iterable(lists)))
        return _list_array(kind, ends, inner, valid)
    _check(kind, values)
    if kind == TEXT:
        texts = ["" if value is None else value for value in values]
        content = "".join(texts).encode()
        plain = len(content) == sum(map(len, texts))
        ends = np.cumsum([0, *(map(len, texts) if plain else (len(one.encode()) for one in texts))])
        return na.c_array_from_buffers(_SCALARS[kind], len(values), [valid, ends.astype(np.int64), content])
    none, dtype = {WHOLE: (0, np.int64), REAL: (np.nan, np.float64), FLAG: (False, np.bool_)}[kind]
    found: NDArray[Any] = np.array([none if value is None else value for value in values], dtype=dtype)
    data = _bits(found) if kind == FLAG else found
    return na.c_array_from_buffers(_SCALARS[kind], len(values), [valid, data])


def lists(kind: str, ends: NDArray[np.integer[Any]], flat: NDArray[Any]) -> Any:
    """Returns a column of lists, which are the stretches of `flat` between its ends; the first end is 0."""
    inner = kind.removesuffix(LIST)
    found = np.ascontiguousarray(flat, dtype=np.int64 if inner == WHOLE else np.float64)
    return _list_array(kind, ends, na.c_array_from_buffers(_SCALARS[inner], found.size, [None, found]), None)


class ColumnTable:
    """A table of batches of rows, each with an array a column, that DuckDB may read several times."""

    def __init__(self, columns: Mapping[str, str], batches: Sequence[Sequence[Any]]) -> None:
        self._schema = na.c_schema(na.struct({name: _schema(kind) for name, kind in columns.items()}))
        self._batches = [
            na.c_array_from_buffers(self._schema, len(arrays[0]), [None], children=arrays, move=True)
            for arrays in batches
        ]

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        stream = CArrayStream.from_c_arrays(self._batches, self._schema, move=False, validate=False)
        return stream.__arrow_c_stream__()


def table(columns: Mapping[str, str], rows: Sequence[Mapping[str, Any]]) -> ColumnTable:
    """Returns a table of rows, of which each has the values of columns by name; None where it has none."""
    arrays = [array(kind, [row.get(name) for row in rows]) for name, kind in columns.items()]
    return ColumnTable(columns, [arrays])


def _schema(kind: str) -> Any:
    return na.list_(_SCALARS[kind.removesuffix(LIST)]) if kind.endswith(LIST) else _SCALARS[kind]


def _list_array(kind: str, ends: NDArray[Any], inner: Any, valid: Any) -> Any:
    buffers = [valid, np.ascontiguousarray(ends, dtype=np.int32)]
    return na.c_array_from_buffers(_schema(kind), len(ends) - 1, buffers, children=[inner], move=True)


def _bits(flags: NDArray[np.bool_]) -> NDArray[np.uint8]:
    return np.packbits(flags, bitorder="little")


def _check(kind: str, values: Collection[Any]) -> None:
    types = set(map(type, values)) - {type(None)}
    wrong = {one for one in types if not issubclass(one, _TYPES[kind])}
    if kind != FLAG:
        wrong |= types & {bool}  # which Python counts among the whole numbers
    if wrong:
        value = next(value for value in values if type(value) in wrong)
        raise ValueError(f"{value!r} is not {_CALLED[kind]}")
