"""Files of values that were seen together, from which a load draws them again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from assay.experiments.own.places import Place
from assay.experiments.own.statements import NULL, CannotDraw, Value
from assay.experiments.own.units import Unit

_NULL_TEXT = "NULL"


@dataclass
class Pool:
    """Rows of values that were seen together, for the file `name`; `dropped` rows cannot stand there."""

    name: str
    places: list[Place]
    rows: list[tuple[Value, ...]]
    dropped: int = 0
    columns: list[str] = field(default_factory=list)


def pools_of(unit: Unit, name: str, places: Sequence[Place]) -> list[Pool]:
    """Returns the files of values: of the unit, of each loop, of each list and of repeated rows."""
    groups: dict[tuple[object, ...], list[Place]] = {}
    for place in places:
        if not place.pooled:
            continue
        if place.is_list:
            key: tuple[object, ...] = ("list", place.statement, place.slot)
        elif place.group is not None:
            key = ("rows", place.statement, place.group)
        elif place.loop is not None:
            key = ("loop", place.loop.start)
        else:
            key = ("once",)
        groups.setdefault(key, []).append(place)
    pools = []
    for number, several in enumerate(groups.values()):
        rows = [
            row
            for execution in range(len(unit.kept))
            for row in zip(*(place.values[execution] for place in several), strict=False)
        ]
        kept = [
            row for row in rows if all(_fits(value, place) for value, place in zip(row, several, strict=True))
        ]
        if not kept:
            raise CannotDraw("with values that no file of text can hold")
        for at, place in enumerate(several):
            if any(row[at] == NULL for row in kept):
                place.text = place.text.format("NULLIF({}, 'NULL')")
        file = name if number == 0 else f"{name}_{number + 1}"
        pools.append(Pool(file, several, kept, len(rows) - len(kept), [place.name for place in several]))
    return pools


def _fits(value: Value, place: Place) -> bool:
    """Returns whether a value can stand in a file: a line without NULL, but for a column that is filled."""
    kind, text = value
    if kind == "null":
        return place.bound.role in ("insert", "set")
    return kind != "unknown" and not any(mark in text for mark in "\n\r\0") and text != _NULL_TEXT


def field_of(value: Value, place: Place) -> str:
    """Returns a value as a field of a file with commas."""
    kind, text = value
    if kind == "null":
        return _NULL_TEXT
    if place.text.startswith("UNHEX") and kind != "bytes":
        text = text.encode().hex()
    if text == "" or any(mark in text for mark in '",') or text != text.strip():
        return '"' + text.replace('"', '""') + '"'
    return text
