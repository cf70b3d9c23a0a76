"""Enumerates where true values may lie between the ends that doubts leave them, as far as a claim could tell
them apart.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations, pairwise, product

from assay.results.verdict.answers import Part
from assay.results.verdict.consequence.altered import Key
from assay.results.verdict.consequence.reach import cells_at
from assay.results.verdict.observations import Cell

Corner = Mapping[Key, float]
"""The place of the true values of each measure, treatment and load point: 0 is the lower end, 1 the upper."""

_MOST_PLACES = 4
"""Places of a part, of which each is moved for itself: the four of a ratio of ratios."""
_MOST_FLIPPED = 2
_STEPS = (0.25, 0.5, 0.75)
"""Places between two corners, for claims whose outcome may change and change back between them."""


def corners(keys: Collection[Key], parts: Sequence[Part], *, is_one_sided: bool) -> Iterator[Corner]:
    """Yields the corners at which an outcome can differ: every place of a part at either end. Where cells
    stand at several places, such as those of a ladder, it is each cell against all others. Different measures
    are moved in all ways against each other.
    """
    found: list[Corner] = []
    for ends in _ends_of_cells({key[1:] for key in keys}, parts):
        for flipped in _flips(sorted({key[0] for key in keys})):
            corner = {key: 1.0 - ends[key[1:]] if key[0] in flipped else ends[key[1:]] for key in keys}
            if corner not in found:
                found.append(corner)
    yield from found
    if not is_one_sided:
        for one, other in pairwise(found):
            for step in _STEPS:
                yield {key: one[key] + step * (other[key] - one[key]) for key in keys}


def _ends_of_cells(cells: set[Cell], parts: Sequence[Part]) -> Iterator[dict[Cell, float]]:
    places: dict[Cell, set[int]] = defaultdict(set)
    for part in parts:
        for number, place in enumerate(part.where):
            for cell in cells_at(cells, place):
                places[cell].add(number)
    numbers = sorted(set().union(*places.values()))
    if all(len(of) == 1 for of in places.values()) and len(numbers) <= _MOST_PLACES:
        only_two = len(numbers) == 2 and all(len(part.where) <= 2 for part in parts)
        for ends in product((0.0, 1.0), repeat=len(numbers)):
            if only_two and ends[0] == ends[1]:
                continue  # what both sides share can neither turn a ratio nor a difference further
            at = dict(zip(numbers, ends, strict=True))
            yield {cell: at[min(places[cell])] if cell in places else 0.0 for cell in cells}
        return
    for one in sorted(cells):
        for end in (0.0, 1.0):
            yield {cell: end if cell == one else 1.0 - end for cell in cells}
    for end in (0.0, 1.0):
        yield dict.fromkeys(cells, end)


def _flips(measures: Sequence[str]) -> Iterator[frozenset[str]]:
    """Yields the measures that are moved the other way: those of all but the first, in every choice."""
    others = measures[1:]
    if len(others) > _MOST_FLIPPED:
        yield from (frozenset(), frozenset(others))
        return
    for count in range(len(others) + 1):
        yield from map(frozenset, combinations(others, count))
