"""Decides how each value of a unit is drawn: from the column that it is compared with, from the values that
were seen, by its type, or not at all, where it was always the same.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from assay.base.decoding import whole_number
from assay.experiments.own.generated import generated, name_in_draw, unheeded
from assay.experiments.own.naming import join_rows, name_all
from assay.experiments.own.new_rows import linked
from assay.experiments.own.places import Place, places_of
from assay.experiments.own.pools import Pool, pools_of
from assay.experiments.own.schema import Column, Table, Tables
from assay.experiments.own.statements import NULL, CannotDraw, Value, literal
from assay.experiments.own.units import Unit

MANY = 30
"""Executions from which on the values that were seen are drawn again; of fewer the column is the better
source.
"""
_LIMITS_MOST = 20
"""Different limits that are each drawn as often as they were seen; of more, any between the ends is."""
_SAME = 20
"""Executions after which a value that was always the same is taken for a part of the statement."""


@dataclass
class DrawnUnit:
    """A unit with the decision for each of its values."""

    unit: Unit
    name: str
    places: list[list[Place]]
    pools: list[Pool]
    remarks: list[str]
    saves: dict[int, str] = field(default_factory=dict)
    """The name under which the number of the row that a statement has made is kept, by statement."""


def drawn(unit: Unit, name: str, tables: Tables, *, with_values: bool) -> DrawnUnit:
    """Returns the decisions for a unit. Raises CannotDraw where one of its values has no source."""
    places = places_of(unit, tables)
    flat = [place for several in places for place in several]
    remarks: list[str] = []
    for before, place in zip([None, *flat], flat, strict=False):
        _decide(place, tables, with_values=with_values)
        if place.bound.role == "limit" and all(kind == "unknown" for kind, _ in place.all()):
            remarks.append("LIMIT 10 is a guess: the source has no values")
        if place.bound.second and before is not None and before.statement == place.statement:
            _decide_second(before, place, remarks, with_values=with_values)
    for several in places:
        fills = [one for one in several if one.bound.role == "insert" and one.draw is not None]
        table = tables.get(fills[0].bound.table or "") if fills else None
        remarks += unheeded(table) if table is not None else []
    taken: set[str] = set()
    saves = linked(unit, places, taken)
    name_all(flat, taken)
    join_rows(flat)
    pools = pools_of(unit, name, flat)
    if dropped := sum(pool.dropped for pool in pools):
        remarks.append(f"{dropped:,} sets of values cannot stand in a file of text, and were left out of it")
    return DrawnUnit(unit, name, places, pools, remarks, saves)


def _decide(place: Place, tables: Tables, *, with_values: bool) -> None:
    """Decides on one place alone."""
    seen = place.all()
    known = [value for value in seen if value[0] != "unknown"]
    distinct = set(known)
    role = place.bound.role
    if role == "limit":
        _decide_limit(place, known)
    elif role == "digits":
        place.text = "6"
    elif role == "insert":
        _decide_insert(place, known, distinct, tables, with_values=with_values)
    elif not with_values or not known:
        _from_column(place, known, distinct)
    elif (
        len(distinct) == 1
        and (role in ("other", "set", "like") or len(seen) >= _SAME or not place.bound.is_of_column)
        and not place.is_list
    ):
        place.text = _escaped(next(iter(distinct)))
    elif role == "set" and _is_prose(distinct, known):
        _lengths(place, known)
    elif len(seen) < MANY and place.bound.is_of_column and role in ("equal", "range"):
        _column_draw(place)
    else:
        place.pooled = True
    if place.pooled:
        _fit_pool(place, distinct)


def _decide_limit(place: Place, known: list[Value]) -> None:
    limits = [whole_number(text) for kind, text in known if kind == "number"]
    counts = Counter(limit for limit in limits if limit is not None)
    numbers = sorted(counts)
    if not numbers:
        place.text = "10"
    elif len(numbers) == 1:
        place.text = str(numbers[0])
    elif len(numbers) <= _LIMITS_MOST:
        place.draw = f"pick({', '.join(f'{number}: {counts[number]}' for number in numbers)})"
    else:
        place.draw = f"int({numbers[0]}..{numbers[-1]})"


def _column_draw(place: Place) -> None:
    assert place.bound.table is not None
    assert place.bound.column is not None
    place.draw = f"column({name_in_draw(place.bound.table, place.bound.column)})"


def _from_column(place: Place, known: list[Value], distinct: set[Value]) -> None:
    """Draws without a value that was seen."""
    if place.bound.is_of_column:
        _column_draw(place)
    elif distinct and all(_is_small(value) for value in distinct):
        # A number of three digits says nothing of anybody: INTERVAL 7 DAY.
        place.text = _escaped(min(distinct))
    else:
        raise CannotDraw("with values that are compared with no known column")


def _is_small(value: Value) -> bool:
    kind, text = value
    return kind == "null" or (kind == "number" and sum(map(str.isdigit, text)) <= 3)


def _decide_insert(
    place: Place, known: list[Value], distinct: set[Value], tables: Tables, *, with_values: bool
) -> None:
    table = tables.get(place.bound.table) if place.bound.table else None
    column = place.column
    filled = [value for value in known if value != NULL]
    if known and not filled:
        place.text = "NULL"
        return
    if column is not None and table is not None:
        if _by_schema(place, table, column, filled, with_values=with_values):
            return
    elif place.bound.is_of_column and _counts_up(filled):
        place.draw = f"seq({name_in_draw(place.bound.table or '', place.bound.column or '')})"
        return
    if not filled:
        raise CannotDraw("that fill columns of unknown types")
    is_of_list = column is not None and column.type in ("enum", "set")
    if not with_values or (_is_prose(distinct, filled) and not is_of_list):
        _lengths(place, filled)
    elif len(distinct) == 1 and len(known) > 1:
        place.text = _escaped(next(iter(distinct)))
    else:
        place.pooled = True


def _by_schema(
    place: Place, table: Table, column: Column, filled: Sequence[Value], *, with_values: bool
) -> bool:
    """Decides on a value of a new row by what its column is; returns whether that says enough."""
    keys = [key for key in table.unique if column.name.lower() in {name.lower() for name in key}]
    refers = column.name in table.references
    few = len(filled) < MANY
    if place.loop is not None and _counts_from_one(place):
        place.draw = "counter"
        return True
    if column.auto_increment and filled and {text for _, text in filled} == {"0"}:
        place.text = "0"
        return True
    unique = column.auto_increment or any(len(key) == 1 for key in keys)
    same = with_values and len(filled) > 1 and len(set(filled)) == 1
    part_of_key = bool(keys) and not refers and not same
    if place.replaces and keys and not column.auto_increment:
        if with_values and filled:
            place.pooled = True
        else:
            _column_draw(place)
        return True
    by_type = few and (refers or column.type in ("date", "datetime", "timestamp"))
    if not (unique or part_of_key or by_type or not with_values or not filled):
        return False
    place.draw = generated(table, column)
    if place.draw is None:
        raise CannotDraw(f"that fill {table.name}.{column.name}, of a type without a draw")
    return True


def _counts_from_one(place: Place) -> bool:
    """Returns whether each execution numbers its turns, as order lines are: 1, 2, 3."""
    turns = [[text for _, text in values] for values in place.values]
    counted = all(values == [str(number + 1) for number in range(len(values))] for values in turns)
    return counted and any(len(values) > 1 for values in turns)


def _counts_up(values: Sequence[Value]) -> bool:
    """Returns whether values look like numbers of rows: whole, at least ten, each above the last."""
    numbers = [whole_number(text) if kind == "number" else None for kind, text in values]
    known = [number for number in numbers if number is not None]
    return len(known) == len(numbers) >= 10 and all(one < other for one, other in pairwise(known))


def _is_prose(distinct: set[Value], values: Sequence[Value]) -> bool:
    """Returns whether values are texts of which most were seen once: names, mails, notes."""
    texts = sum(kind in ("text", "bytes") for kind, _ in values)
    dates = all(kind != "text" or _DATE.match(text) for kind, text in distinct)
    return 2 * texts > len(values) and not dates and (len(distinct) > len(values) / 2 or _long(distinct))


_DATE = re.compile(r"\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d(\.\d+)?)?)?$")


def _long(values: set[Value]) -> bool:
    return max((len(text) for _, text in values), default=0) > 200


def _lengths(place: Place, values: Sequence[Value]) -> None:
    """Draws texts as long, or numbers of as many digits, as those that were seen."""
    if all(kind == "number" for kind, _ in values):
        digits = max(len(text.lstrip("-").partition(".")[0]) for _, text in values)
        scale = max(len(text.partition(".")[2]) for _, text in values)
        most = 10 ** min(digits, 15 - min(scale, 6)) - 1
        scale = min(scale, 6)
        place.draw = f"decimal(0.{'0' * scale}..{most}.{'9' * scale})" if scale else f"int(0..{most})"
        return
    texts = [text for kind, text in values if kind != "null"]
    if all(_DATE.match(text) for text in texts):
        long = any(len(text) > 10 for text in texts)
        place.draw = (
            "datetime(2026-01-01 00:00:00..2026-12-31 23:59:59)" if long else "date(2026-01-01..2026-12-31)"
        )
        return
    sizes = [len(text) // 2 if kind == "bytes" else len(text) for kind, text in values if kind != "null"]
    most = 1_000_000
    place.draw = f"text({min(min(sizes), most)}..{min(max(sizes), most)})"


def _fit_pool(place: Place, distinct: set[Value]) -> None:
    """Says in the statement what a file of texts cannot say of a value."""
    kinds = {kind for kind, _ in distinct}
    if "bytes" in kinds:
        place.text = "UNHEX({})"
    elif kinds <= {"number", "null"} and place.column is not None and place.column.is_text:
        # A number is compared with a text in another way than a text is: by converting every row.
        place.text = "({} + 0)"


def _decide_second(first: Place, second: Place, remarks: list[str], *, with_values: bool) -> None:
    """Decides on the end of a BETWEEN, which belongs to its beginning."""
    if second.draw is None and not second.pooled:
        return
    spans = _spans(first, second)
    if spans is not None and len(set(spans)) == 1 and (first.draw or first.pooled):
        span = spans[0]
    elif (first.pooled and second.pooled) or (first.draw is None and not first.pooled):
        return
    elif spans is None and with_values and all(kind != "unknown" for kind, _ in first.all() + second.all()):
        # Ends that were seen together say more than one value of the column.
        for place in (first, second):
            place.draw, place.pooled = None, True
        return
    else:
        span = sorted(spans)[len(spans) // 2] if spans else 0
        remarks.append(
            "BETWEEN spans as much as the middle one of those that were seen"
            if spans
            else "BETWEEN spans one value"
        )
    second.pooled, second.draw = False, None
    second.text = f"{{first}} + {span}" if span else "{first}"


def _spans(first: Place, second: Place) -> list[int] | None:
    pairs = list(zip(first.all(), second.all(), strict=False))
    ends = [(_whole(low), _whole(high)) for low, high in pairs]
    spans = [high - low for low, high in ends if low is not None and high is not None]
    return spans if spans and len(spans) == len(pairs) and min(spans) >= 0 else None


def _whole(value: Value) -> int | None:
    kind, text = value
    size = whole_number(text.removeprefix("-")) if kind == "number" else None
    return -size if size is not None and text.startswith("-") else size


def _escaped(value: Value) -> str:
    return literal(value).replace("{", "{{").replace("}", "}}")
