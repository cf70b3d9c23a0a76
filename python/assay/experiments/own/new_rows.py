"""Finds where a transaction uses the number of the row that it has just made: `LAST_INSERT_ID()` as
applications send it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assay.experiments.own.named_tables import tables_in
from assay.experiments.own.naming import plain, unused
from assay.experiments.own.statements import Value

if TYPE_CHECKING:
    from assay.experiments.own.places import Place
    from assay.experiments.own.units import Unit


def linked(unit: Unit, places: Sequence[Sequence[Place]], taken: set[str]) -> dict[int, str]:
    """Has values that are numbers of new rows stand for them; returns the names under which statements keep
    these numbers. `taken` gets the names.
    """
    saves: dict[int, str] = {}
    in_loops = {loop.start + step for loop in unit.loops for step in range(loop.length)}
    for number, shape in enumerate(unit.shapes):
        if shape.verb not in ("INSERT", "REPLACE") or number in in_loops or len(unit.shapes) == 1:
            continue
        table = next((name for _, name in tables_in(shape)), None)
        if table is None or any(place.group is not None for place in places[number]):
            continue
        given = next((one for one in places[number] if (one.draw or "").startswith("seq(")), None)
        users = [
            place
            for several in places[number + 1 :]
            for place in several
            if not place.is_list and (place.draw is not None or place.pooled or given is None)
            if _uses(place, given, table, places[: number + 1])
        ]
        if not users:
            continue
        if given is not None:
            name = given.name = given.name or unused(plain(f"new_{table}", "_"), taken)
        else:
            name = saves[number] = unused(plain(f"new_{table}", "_"), taken)
        for place in users:
            place.name, place.draw, place.pooled, place.text = name, None, False, "{}"
    return saves


def _uses(place: Place, given: Place | None, table: str, before: Sequence[Sequence[Place]]) -> bool:
    """Returns whether a place had the number of the new row in every execution."""
    firsts = [set(values) for values in place.values]
    if not firsts or any(len(one) != 1 for one in firsts):
        return False
    numbers: list[Value] = [next(iter(one)) for one in firsts]
    if any(kind != "number" for kind, _ in numbers):
        return False
    if given is not None:
        return [[number] for number in numbers] == given.values
    if len(set(numbers)) != len(numbers) or not _refers(place, table):
        return False
    # What was known before the row was made is not its number.
    known = [
        {value for several in before for one in several for value in one.values[at]}
        for at in range(len(numbers))
    ]
    return all(number not in earlier for number, earlier in zip(numbers, known, strict=True))


def _refers(place: Place, table: str) -> bool:
    """Returns whether a place is of a column that refers to the table, or says so: `order_id`."""
    if place.refers_to is not None:
        return place.refers_to.lower() == table.lower()
    column = (place.bound.column or "").lower()
    stem = table.lower()
    stems = {
        stem,
        stem.removesuffix("s"),
        stem.removesuffix("es"),
        f"{stem[:-3]}y" if stem.endswith("ies") else stem,
    }
    return any(column in (f"{one}_id", f"{one}id", f"id_{one}", f"fk_{one}", f"{one}_no") for one in stems)
