"""Finds which blocks of which treatments and load points doubts of a kind are about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from assay.results.verdict.answers import Part
from assay.results.verdict.compared import Place
from assay.results.verdict.consequence.natures import Nature
from assay.results.verdict.observations import CRASHES, Cell, Observations
from assay.results.verdict.results import DoubtNote

Facts = Mapping[str, str | int | float]
Runs = Mapping[str, tuple[str | None, int]]
"""The treatment and the block of every run, by its id; no treatment in a screen, whose levels each rest on
all of its treatments.
"""


@dataclass(frozen=True)
class Reach:
    """The blocks of each cell that doubts of one kind are about, each with the figures of those doubts."""

    cells: Mapping[Cell, Mapping[int, Sequence[Facts]]]

    @property
    def blocks(self) -> dict[Cell, frozenset[int]]:
        """The blocks of each cell."""
        return {cell: frozenset(blocks) for cell, blocks in self.cells.items()}

    def at(self, places: Iterable[Place]) -> frozenset[Cell]:
        """Returns the cells that it reaches at these places; a place over a whole ladder has all cells of its
        treatment.
        """
        return frozenset(cell for place in places for cell in cells_at(self.cells, place))


def cells_at(cells: Collection[Cell], place: Place) -> Iterable[Cell]:
    """Yields the cells that belong to a place."""
    for cell in cells:
        if cell[0] == place.treatment and place.load in (None, cell[1]):
            yield cell


def all_blocks(seen: Observations) -> dict[Cell, frozenset[int]]:
    """Returns the blocks of each cell in which anything was measured."""
    found: dict[Cell, set[int]] = defaultdict(set)
    for (measure, treatment, load), blocks in seen.values.items():
        if measure != CRASHES:
            found[treatment, load] |= blocks.keys()
    for at, kinds in seen.left_out.items():
        found[at] |= kinds.keys()
    return {cell: frozenset(blocks) for cell, blocks in found.items()}


def reach_of(
    notes: Iterable[DoubtNote], nature: Nature, runs: Runs, there: Mapping[Cell, frozenset[int]]
) -> Reach:
    """Returns what doubts of one kind are about. `there` has the blocks of every cell."""
    cells: dict[Cell, dict[int, list[Facts]]] = defaultdict(lambda: defaultdict(list))
    for note in notes:
        of_run = runs.get(note.run_id) if note.run_id is not None else None
        treatment = of_run[0] if of_run else note.facts.get(nature.treatment) if nature.treatment else None
        for cell, blocks in there.items():
            if treatment not in (None, cell[0]) or note.load not in (None, cell[1]):
                continue
            for block in blocks if of_run is None else (of_run[1],):
                cells[cell][block].append(note.facts)
    return Reach({cell: dict(blocks) for cell, blocks in cells.items()})


def is_about(part: Part, kind: str, nature: Nature, reach: Reach) -> bool:
    """Returns whether doubts of a kind are about a part of a claim."""
    if nature.about == "named":
        return kind in part.doubts
    if nature.about == "levels" and len(part.where) > 1:
        return False
    if nature.about == "pairs" and len(part.treatments) < 2:
        return False
    return bool(reach.at(part.where))
