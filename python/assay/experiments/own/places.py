"""The places of a unit at which values stand, with the values that each had."""

from __future__ import annotations

from dataclasses import dataclass, field

from assay.experiments.own.binding import Bound, bindings
from assay.experiments.own.schema import Column, Tables
from assay.experiments.own.statements import Slot, Value, values_by_slot
from assay.experiments.own.units import Loop, Unit


@dataclass(eq=False)
class Place:
    """A slot of a statement of a unit, with the values that it had: one list for each kept execution."""

    statement: int
    slot: int
    bound: Bound
    column: Column | None
    loop: Loop | None
    group: int | None
    is_list: bool
    values: list[list[Value]]
    refers_to: str | None = None
    replaces: bool = False
    """Whether a new row may meet one that is there: REPLACE, IGNORE, ON DUPLICATE KEY UPDATE."""
    name: str = ""
    together: list[Place] = field(default_factory=list)
    """Places whose names the same draw fills, after this one's: columns of one row."""
    draw: str | None = None
    """The draw of its name; None where a file has its values, or where `text` says it all."""
    text: str = "{}"
    """What stands in the statement, with {} for its name."""
    pooled: bool = False

    @property
    def once(self) -> bool:
        """Whether each execution of the unit has one value here."""
        return self.loop is None and self.group is None

    def all(self) -> list[Value]:
        return [value for values in self.values for value in values]


def places_of(unit: Unit, tables: Tables) -> list[list[Place]]:
    loop_of = {loop.start + step: loop for loop in unit.loops for step in range(loop.length)}
    found: list[list[Place]] = []
    for number, shape in enumerate(unit.shapes):
        values: list[list[list[Value]]] = [[] for _ in shape.slots]
        for execution in unit.kept:
            slots = [values_by_slot(shape, one.values, one.counts) for one in execution[number]]
            for slot in range(len(shape.slots)):
                values[slot].append([value for one in slots for value in one[slot]])
        bounds = bindings(shape, tables)
        here = []
        meets = shape.verb == "REPLACE" or bool({"DUPLICATE", "IGNORE"} & set(shape.words))
        for slot, (place, bound) in enumerate(zip(shape.slots, bounds, strict=True)):
            table = tables.get(bound.table) if bound.table else None
            column = table.column(bound.column) if table is not None and bound.column else None
            loop = loop_of.get(number)
            group = None if place.group is not None and _is_one_row(unit, number, place) else place.group
            to = table.references.get(column.name, (None,))[0] if table is not None and column else None
            here.append(
                Place(number, slot, bound, column, loop, group, place.is_list, values[slot], to, meets)
            )
        found.append(here)
    return found


def _is_one_row(unit: Unit, number: int, slot: Slot) -> bool:
    """Returns whether a group of rows had one row in every execution: then it is no group."""
    counts = (one.counts[slot.group or 0] for execution in unit.kept for one in execution[number])
    return not slot.is_list and all(count == 1 for count in counts)
