"""Names for what is drawn: one for values that were always the same, one draw for columns of one row."""

from __future__ import annotations

from collections.abc import Sequence

from assay.experiments.own.generated import name_in_draw
from assay.experiments.own.places import Place

_HOW = {"rows", "distinct", "latest", "shuffled", "unique", "in"}
"""Words that say in a draw how rows are chosen, and no name of a column."""


def name_all(places: Sequence[Place], taken: set[str]) -> None:
    """Names what is drawn. Places that had the same values in every execution share a name."""
    same: dict[object, str] = {}
    for place in places:
        if place.name or (place.draw is None and not place.pooled):
            continue
        key: object = None
        few = len(place.values) <= 2
        alike = place.once and not (few and (place.draw is None or place.bound.role == "insert"))
        if alike and not (place.draw or "").startswith(("seq", "text", "hex")):
            key = (place.draw, place.pooled, tuple(values[0] for values in place.values))
            if (known := same.get(key)) is not None:
                place.name, place.draw, place.pooled = known, None, False
                continue
        place.name = unused(_base(place), taken)
        if key is not None:
            same[key] = place.name


def join_rows(places: Sequence[Place]) -> None:
    """Has columns of one table that a statement compares with values drawn from one row: drawn apart, they
    would meet in few rows.
    """
    groups: dict[tuple[object, ...], list[Place]] = {}
    for place in places:
        if (place.draw or "").startswith("column(") and place.bound.role == "equal" and not place.is_list:
            key = (place.statement, place.bound.table, place.group, place.loop)
            groups.setdefault(key, []).append(place)
    for first, *others in groups.values():
        columns = [one.bound.column or "" for one in (first, *others)]
        if others and len(set(columns)) == len(columns):
            listed = ", ".join(map(name_in_draw, columns))
            first.draw, first.together = f"row({name_in_draw(first.bound.table or '')}: {listed})", others
            for one in others:
                one.draw = None


def _base(place: Place) -> str:
    column, table = place.bound.column, place.bound.table
    word = column or {"limit": "limit", "like": "pattern"}.get(place.bound.role, "value")
    if table and word.lower() in ("id", "name", "type", "status"):
        word = f"{table}_{word}"
    word = plain(word, "_").strip("_").lower() or "value"
    if word in _HOW:
        word = f"{word}_value"
    return f"v_{word}" if word[0].isdigit() else word


def plain(name: str, also: str = "_-") -> str:
    """Returns a name of letters, digits and a few other characters for one that may have any."""
    return "".join(one if one.isascii() and (one.isalnum() or one in also) else "_" for one in name)


def unused(base: str, taken: set[str]) -> str:
    """Returns a name that nothing else has, `base` or one with a number behind it, and takes it."""
    name, number = base, 1
    while name in taken:
        number += 1
        name = f"{base}_{number}"
    taken.add(name)
    return name
