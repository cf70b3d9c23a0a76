"""Draws for columns that a new row fills, by the column's type alone."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from decimal import Decimal

from assay.base.decoding import whole_number
from assay.experiments.own.conditions import NO_LIMITS, End
from assay.experiments.own.schema import Column, Table
from assay.experiments.own.statements import CannotDraw

_WHOLE_MOST = {"tinyint": 127, "smallint": 32_767, "mediumint": 1_000_000}
_WHOLE_TOPS = {"tinyint": 127, "smallint": 32_767, "mediumint": 2**23 - 1, "bigint": 2**62}
_TIMES = ("date", "datetime", "timestamp")
_MOMENT = "%Y-%m-%d %H:%M:%S"
_YEAR = timedelta(days=364)
_DIGITS_MOST = 18
"""Digits that a drawn number can have."""
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


def unheeded(table: Table) -> list[str]:
    """Returns what is to be said of the conditions of a table that new rows may break."""
    return [
        f"{table.name}: no draw heeds CHECK ({one}), so the server may refuse rows" for one in table.unheeded
    ]


def of_type(column: Column, *, unique: bool = False) -> str | None:
    """Returns a draw of values that a column's type and its conditions take; None for a type that has none.
    Raises CannotDraw where its conditions leave none.
    """
    kind, limits = column.type, column.limits
    if limits.values is not None:
        return _pick(column, limits.values)
    if limits.is_json or kind == "json":
        return "'{}'"
    lengths = [whole_number(one) for one in column.arguments]
    first = lengths[0] if lengths else None
    if column.is_whole:
        if kind == "tinyint" and first == 1 and limits == NO_LIMITS:
            return "int(0..1)"
        top = (2 if column.unsigned else 1) * _WHOLE_TOPS.get(kind, 2**31 - 1)
        return "int({}..{})".format(*_ends(column, 1, _WHOLE_MOST.get(kind, 1_000_000), 0, top))
    if kind in ("decimal", "numeric", "dec", "fixed"):
        scale = (lengths[1] if len(lengths) > 1 else 0) or 0
        before = max((first or 10) - scale, 0)
        scale = min(scale, _DIGITS_MOST - min(before, 3))
        units = 10 ** min(before, 3) - 1
        most = Decimal(f"{units}.{'9' * scale}") if scale else max(units, 1)
        low, high = _ends(column, 0, most, scale, 10 ** min(before, _DIGITS_MOST - scale) - 1)
        return f"decimal({low}..{high})" if scale else f"int({low}..{high})"
    if kind in ("float", "double", "real"):
        return "decimal({}..{})".format(*_ends(column, 0, Decimal("999.99"), 2, 10**12))
    if kind == "year":
        return "int({}..{})".format(*_ends(column, 2000, 2026, 0, 2155))
    if kind in _TIMES:
        return f"{'date' if kind == 'date' else 'datetime'}({'..'.join(_times(column))})"
    if kind in ("char", "varchar", "character"):
        return _text(column, first if first is not None else 1, (3, 30), unique=unique)
    if kind in ("binary", "varbinary"):
        return f"hex({max(min(first or 1, 32), 1)})"
    if kind in _TEXT_LENGTHS:
        return _text(column, None, (10, _TEXT_LENGTHS[kind]), unique=unique)
    if kind.endswith("blob"):
        return "text(10..200)"
    if kind in ("enum", "set") and column.arguments:
        return _pick(column, [text[1:-1].replace("''", "'") for text in column.arguments])
    fixed = {
        "time": "'12:00:00'",
        "bit": "int(0..1)",
        "bool": "int(0..1)",
        "boolean": "int(0..1)",
        "uuid": "uuid4",
        "inet6": "'::1'",
        "inet4": "'127.0.0.1'",
    }
    return fixed.get(kind)


def _pick(column: Column, values: Sequence[str]) -> str | None:
    """Returns the draw of one of some values; None where none of them can stand in a draw."""
    plain = [text for text in values if not set(text) & set('"\\$') and not set(text) & set("\r\n")]
    if column.is_text:
        plain = [f'"{text}"' if "'" in text else f"'{text}'" for text in plain]
    else:
        plain = [text if End(text).number is not None else f"'{text}'" for text in plain]
    return f"pick({', '.join(plain)})" if plain else None


def _ends(column: Column, low: int, high: Decimal | int, scale: int, top: int) -> tuple[str, str]:
    """Returns the ends of a draw of numbers with so many digits after the point, of which `top` is the
    largest.
    """
    step = Decimal(1).scaleb(-scale)
    found = column.limits.within(Decimal(low), Decimal(high), step, Decimal(top))
    if found is None:
        raise CannotDraw(f"that fill {column.name}: its CHECK conditions leave no number")
    return f"{found[0].quantize(step):f}", f"{found[1].quantize(step):f}"


def _times(column: Column) -> tuple[str, str]:
    """Returns the ends of a draw of times: those of a year where no condition says more."""
    limits = column.limits
    step, form = (timedelta(days=1), "%Y-%m-%d") if column.type == "date" else (timedelta(seconds=1), _MOMENT)
    low, high = datetime(2026, 1, 1), datetime(2026, 12, 31, 23, 59, 59)
    try:
        if limits.least is not None:
            low = datetime.fromisoformat(limits.least.value) + step * limits.least.outside
            high = max(high, low + _YEAR) if limits.most is None else high
        if limits.most is not None:
            high = datetime.fromisoformat(limits.most.value) - step * limits.most.outside
            low = low if limits.least is not None else min(low, high - _YEAR)
    except (ValueError, OverflowError):
        raise CannotDraw(f"that fill {column.name}: its CHECK conditions name no time") from None
    if low > high:
        raise CannotDraw(f"that fill {column.name}: its CHECK conditions leave no time")
    return low.strftime(form), high.strftime(form)


def _text(column: Column, most: int | None, usual: tuple[int, int], *, unique: bool) -> str:
    """Returns a draw of texts of at most so many letters; of usual lengths where nothing else is said."""
    limits = column.limits
    ends = (most, limits.longest, max(32 if unique else usual[1], limits.shortest))
    longest = min(one for one in ends if one is not None)
    if unique:
        return f"hex({max(longest, 1)})"
    return f"text({min(max(usual[0], limits.shortest), longest)}..{longest})"
