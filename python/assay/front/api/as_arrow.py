"""A table as a pyarrow.Table, for who has installed pyarrow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from assay.base.arrow import pa

if TYPE_CHECKING:
    from assay.front.api.table import Column

_TYPES = {
    "VARCHAR": pa.string(),
    "BIGINT": pa.int64(),
    "INTEGER": pa.int32(),
    "DOUBLE": pa.float64(),
    "BOOLEAN": pa.bool_(),
}


def as_arrow(columns: Sequence[Column]) -> Any:
    """Returns a table of these columns; units and meanings are metadata of its fields."""
    arrays = [pa.array(one.values, type=_type(one.kind)) for one in columns]
    fields = []
    for one, made in zip(columns, arrays, strict=True):
        said = {key: text for key, text in (("unit", one.unit), ("meaning", one.meaning)) if text}
        fields.append(pa.field(one.name, made.type, metadata=said or None))
    return pa.Table.from_arrays(arrays, schema=pa.schema(fields))


def _type(kind: str) -> Any:
    """Returns the type of a column; None where it is that of its values."""
    if kind.endswith("[]"):
        inner = _type(kind.removesuffix("[]"))
        return None if inner is None else pa.list_(inner)
    if kind == "MAP(VARCHAR, VARCHAR)":
        return pa.map_(pa.string(), pa.string())
    return _TYPES.get(kind)
