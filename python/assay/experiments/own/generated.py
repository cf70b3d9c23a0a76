"""Draws for columns that a new row fills, by the column's type alone."""

from __future__ import annotations

from assay.base.decoding import whole_number
from assay.experiments.own.schema import Column, Table
from assay.experiments.own.statements import CannotDraw

_WHOLE_MOST = {"tinyint": 127, "smallint": 32_767, "mediumint": 1_000_000}
_DECIMALS_MOST = 30
"""Digits after the point that a DECIMAL can have."""
_TEXT_LENGTHS = {"tinytext": 30, "text": 200, "mediumtext": 400, "longtext": 400}


def name_in_draw(*names: str) -> str:
    """Returns `table.column` as a draw names it, in backticks where a letter asks for them. Raises CannotDraw
    for a name that no draw can have.
    """
    if any("$" in name or "`" in name for name in names):
        raise CannotDraw("about names with $ or a backtick, which no draw can have")

    def quoted(name: str) -> str:
        plain = all(letter.isalnum() or letter in "_$" for letter in name)
        return name if plain and name else f"`{name}`"

    return ".".join(map(quoted, names))


def generated(table: Table, column: Column) -> str | None:
    """Returns the draw for a value of a new row; None where none can make one."""
    if (to := table.references.get(column.name)) is not None:
        return f"column({name_in_draw(*to)})"
    if column.auto_increment or (table.is_unique(column.name) and column.is_whole):
        return f"seq({name_in_draw(table.name, column.name)})"
    if column.name == _counted_in_key(table):
        return f"seq({name_in_draw(table.name, column.name)})"
    return of_type(column, unique=table.is_unique(column.name))


def _counted_in_key(table: Table) -> str | None:
    """Returns the column that keeps a primary key of several columns unique: its last whole number."""
    key = table.unique[0] if table.unique else ()
    whole = [name for name in key if (one := table.column(name)) is not None and one.is_whole]
    return whole[-1] if len(key) > 1 and whole else None


def of_type(column: Column, *, unique: bool = False) -> str | None:
    """Returns a draw of values that a column's type takes; None for a type that has none."""
    kind = column.type
    lengths = [whole_number(one) for one in column.arguments]
    first = lengths[0] if lengths else None
    if column.is_whole:
        return (
            "int(0..1)" if kind == "tinyint" and first == 1 else f"int(1..{_WHOLE_MOST.get(kind, 1_000_000)})"
        )
    if kind in ("decimal", "numeric", "dec", "fixed"):
        scale = min((lengths[1] if len(lengths) > 1 else 0) or 0, _DECIMALS_MOST)
        units = 10 ** min(max((first or 10) - scale, 0), 3) - 1
        return f"decimal(0.{'0' * scale}..{units}.{'9' * scale})" if scale else f"int(0..{max(units, 1)})"
    if kind in ("float", "double", "real"):
        return "decimal(0.00..999.99)"
    if kind == "date":
        return "date(2026-01-01..2026-12-31)"
    if kind in ("datetime", "timestamp"):
        return "datetime(2026-01-01 00:00:00..2026-12-31 23:59:59)"
    if kind in ("char", "varchar", "character"):
        length = first if first is not None else 1
        return f"hex({min(length, 32)})" if unique else f"text({min(length, 3)}..{min(length, 30)})"
    if kind in ("binary", "varbinary"):
        return f"hex({max(min(first or 1, 32), 1)})"
    if kind in _TEXT_LENGTHS:
        return "hex(32)" if unique else f"text(10..{_TEXT_LENGTHS[kind]})"
    if kind.endswith("blob"):
        return "text(10..200)"
    if kind in ("enum", "set") and column.arguments:
        plain = [text[1:-1].replace("''", "'") for text in column.arguments]
        quoted = [
            f'"{text}"' if "'" in text else f"'{text}'" for text in plain if not set(text) & set('"\\$')
        ]
        return f"pick({', '.join(quoted)})" if quoted else None
    fixed = {
        "json": "'{}'",
        "year": "int(2000..2026)",
        "time": "'12:00:00'",
        "bit": "int(0..1)",
        "bool": "int(0..1)",
        "boolean": "int(0..1)",
        "uuid": "uuid4",
        "inet6": "'::1'",
        "inet4": "'127.0.0.1'",
    }
    return fixed.get(kind)
