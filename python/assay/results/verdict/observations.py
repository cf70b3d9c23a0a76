"""Reads all measures of a study once: one value for each treatment, block, load and measure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from assay.base.tally import fewest_operations, share_of
from assay.design.study import CORRECTED, HIGHER_IS_BETTER, Term, parted, unit_of
from assay.design.study.claims import Window
from assay.results.stats import FEWEST_LOADS, Gate, group_means
from assay.results.verdict.compared import FEW, Place
from assay.results.verdict.courses import CoursesOf, Slice
from assay.results.verdict.data_loads import DataLoads

Blocks = Mapping[int, float]  # block -> value
FactsOf = Callable[[str], Mapping[str, Blocks]]  # name -> treatment -> blocks
COUNTER, FACT, CRASHES = "status.", "fact.", "crashes"
_FAR_ABOVE = 1e9
"""Factor by which no time that was measured can be too low, and beyond any limit of a claim."""
Floats = NDArray[np.float64]
Kinds = tuple[str, ...]  # of doubts


Cell = tuple[str, float]  # treatment, load


@dataclass(frozen=True)
class Observations:
    """All values of a study by measure, treatment and load (`values[measure, treatment, load]`), each by
    block; `units` by measure.

    Rungs with an *invalid* doubt are not among the values. `left_out` and `warned` have the kinds of doubts
    by cell and block; `barred` has those that bar any verdict, in the whole study. `approaching` has the
    blocks whose windows had not reached their level: they give no value for a level, and one for a ratio only
    where the other side had not either. `at_least` has, by the key of `values`, the blocks whose value is a
    lower bound, since operations never ended, or since a closed loop sent nothing while the server stood
    still (`stalled` has these cells): the true one may be any above. `few` has those whose percentile is of
    too few operations for a word.
    """

    values: Mapping[tuple[str, str, float], Blocks]
    units: Mapping[str, str]
    left_out: Mapping[Cell, Mapping[int, Kinds]] = field(default_factory=dict)
    warned: Mapping[Cell, Mapping[int, Kinds]] = field(default_factory=dict)
    barred: Kinds = ()
    approaching: Mapping[Cell, Mapping[int, Kinds]] = field(default_factory=dict)
    failed: Mapping[str, int] = field(default_factory=dict)  # treatment -> runs that measured nothing
    courses: CoursesOf = lambda _: {}
    facts: FactsOf = lambda _: {}
    at_least: Mapping[tuple[str, str, float], frozenset[int]] = field(default_factory=dict)
    few: Mapping[tuple[str, str, float], frozenset[int]] = field(default_factory=dict)
    stalled: frozenset[Cell] = frozenset()
    far: frozenset[Cell] = frozenset()  # cells whose lower bounds are taken to be far below the truth
    data: DataLoads = field(default_factory=DataLoads)
    loads: Mapping[int, int] = field(default_factory=dict)  # block -> load of the data; none: values by block

    def over_loads(self, treatments: Collection[str]) -> Observations:
        """Returns the observations with one value for each load of the data in place of each block, where the
        luck of loads does not cancel: between treatments with data of their own, and of a single treatment.

        Only blocks that all of these treatments have whole count, so that what a block does still cancels.
        """
        if not treatments or (len(treatments) > 1 and not self.data.apart(treatments)):
            return self
        broken = {
            block
            for of in (self.left_out, self.approaching)
            for cell, blocks in of.items()
            if cell[0] in treatments
            for block in blocks
        }
        groups = self.data.groups(treatments).items()
        return replace(self, loads={block: load for block, load in groups if block not in broken})

    def fewest(self, gate: Gate) -> int:
        """Returns how many values a verdict needs, each that of a block or of a load of the data."""
        return FEWEST_LOADS if self.loads and len(self.loads) >= gate.fewest else gate.fewest

    @property
    def by_block(self) -> Observations:
        """The observations with a value for each block."""
        return replace(self, loads={}) if self.loads else self

    def blocks(self, measure: str, place: Place) -> Blocks:
        """Returns a measure's values by block, or by load of the data; empty where nothing was measured, and
        for a place over a whole ladder.
        """
        found = self._by_block(measure, place)
        return group_means(found, self.loads) if self.loads else found

    def _by_block(self, measure: str, place: Place) -> Blocks:
        if place.load is None:
            return {}
        if measure.startswith(COUNTER):
            return self._counter(measure.removeprefix(COUNTER), place)
        if measure.startswith(FACT):
            found = self.facts(measure.removeprefix(FACT)).get(place.treatment, {})
            out = self.left_out.get((place.treatment, place.load), {})
            return {block: value for block, value in found.items() if block not in out}
        return self.values.get((measure, place.treatment, place.load), {})

    def within(self, term: Term, place: Place, window: Window | Slice | None) -> Blocks:
        """Returns one figure a block for a part of the window: of the course there, or the term's own
        summary.
        """
        if place.load is None:
            return {}
        cell = (place.treatment, place.load)
        found: dict[int, float] = {}
        for block, course in self.courses(term.measure).get(cell, {}).items():
            part = course if window is None else course.part(window)
            if part is None or block in self.left_out.get(cell, {}):
                continue
            if term.summary is not None:
                value = part.summary(term.summary)
            else:
                figure = part.figure()
                value = None if figure is None else figure[0]
                is_bound = figure is not None and (figure[1] or self._hides(term.measure, cell))
                if figure is not None and is_bound and cell in self.far:
                    value = figure[0] * _FAR_ABOVE
            if value is not None:
                found[block] = value
        return group_means(found, self.loads) if self.loads else found

    def stands_still(self, *places: Place) -> bool:
        """Returns whether a closed loop stood still at one of these places."""
        cells = dict.fromkeys(self.stalled)
        return any(True for place in places for _ in _cells(cells, place))

    def _hides(self, measure: str, cell: Cell) -> bool:
        return cell in self.stalled and is_closed_tail(measure)

    def too_few_within(self, term: Term, place: Place, windows: Sequence[Window | Slice | None]) -> bool:
        """Returns whether one of these parts of some window, or a slice of it that the term sums up, has too
        few operations for the term's measure, a percentile.
        """
        least = fewest_operations(term.measure)
        courses = self.courses(term.measure) if least else {}
        parts = [
            course if window is None else course.part(window)
            for cell in _cells(courses, place)
            for course in courses[cell].values()
            for window in windows
        ]
        every_s = None if term.summary is None else term.summary.every_s
        return any(
            piece.operations < least
            for part in parts
            if part is not None
            for piece in ([part] if every_s is None else part.pieces(every_s))
        )

    @property
    def settled(self) -> Observations:
        """The observations without windows that had not reached their level, for claims about levels and
        sameness.
        """
        return self._settled if self.approaching and not self.loads else self

    @cached_property  # never of itself: the store would stay open until the cycle is collected
    def _settled(self) -> Observations:
        values = {
            key: {block: value for block, value in blocks.items() if block not in self.approaching[key[1:]]}
            if key[0] != CRASHES and key[1:] in self.approaching
            else blocks
            for key, blocks in self.values.items()
        }
        return replace(self, values=values, approaching={})

    def unlike(self, *places: Place) -> frozenset[int]:
        """Returns blocks in which some windows at these places had reached their level, and others had
        not.
        """
        if self.loads:
            return frozenset()  # such blocks are in no load's mean
        cells = {(place.treatment, place.load) for place in places if place.load is not None}
        found = [frozenset(self.approaching.get(cell, ())) for cell in cells]
        return frozenset().union(*found) - frozenset.intersection(*found) if found else frozenset()

    def count_approaching(self, *places: Place) -> int:
        """Returns how many windows at these places had not reached their level."""
        return sum(len(blocks) for blocks in _at(self.approaching, places))

    def why_approaching(self, *places: Place) -> Kinds:
        """Returns the kinds of the doubts that say that windows had not reached their level."""
        return _kinds(self.approaching, places)

    def raised(self, cell: Cell) -> Observations:
        """Returns the observations as if every lower bound of a cell were far below the truth."""
        values = {
            key: {
                block: value * _FAR_ABOVE if block in self.at_least.get(key, ()) else value
                for block, value in blocks.items()
            }
            if key[1:] == cell
            else blocks
            for key, blocks in self.values.items()
        }
        return replace(self, values=values, far=frozenset({cell}))

    def bounds(self, measure: str, *places: Place) -> frozenset[Cell]:
        """Returns the cells at these places, a place without load being a whole ladder, in which some value
        of the measure is a lower bound.
        """
        return _of_measure(self.at_least, measure, places)

    def too_few(self, measure: str, *places: Place) -> frozenset[Cell]:
        """Returns the cells at these places, as for `bounds`, in which some run has too few operations for
        the measure, a percentile.
        """
        return _of_measure(self.few, measure, places)

    def unit(self, measure: str) -> str:
        """Returns the unit of a measure; empty for a measure without one."""
        return self.units.get(measure) or unit_of(measure)

    def _counter(self, named: str, place: Place) -> Blocks:
        """Returns a counter as `NAME per query`, `per transaction` or `per s`: its growth per query, times
        the queries.
        """
        name, _, by = named.partition(" per ")
        per_query = self._by_block(f"{name}_per_query", place)
        if by == "query":
            return per_query
        queries = self._by_block("qps", place)
        transactions = self._by_block("tps", place) if by == "transaction" else dict.fromkeys(queries, 1.0)
        return {
            block: value * queries[block] / transactions[block]
            for block, value in per_query.items()
            if queries.get(block) is not None and transactions.get(block)
        }

    def paired(
        self, measure: str, one: Place, other: Place, others_measure: str | None = None
    ) -> tuple[Floats, Floats]:
        """Returns the values at two places in the blocks that have both, in order of block. Without
        `others_measure` both are of one measure.
        """
        first = self.blocks(measure, one)
        second = self.blocks(others_measure or measure, other)
        common = self.common_blocks(measure, one, other, others_measure)
        return np.array([first[b] for b in common]), np.array([second[b] for b in common])

    def common_blocks(
        self, measure: str, one: Place, other: Place, others_measure: str | None = None
    ) -> list[int]:
        """Returns the blocks whose values `paired` returns, in its order."""
        first = self.blocks(measure, one)
        second = self.blocks(others_measure or measure, other)
        return sorted((first.keys() & second.keys()) - self.unlike(one, other))

    def warnings(self, *places: Place) -> Kinds:
        """Returns the kinds of warnings about these places, and about what lies between them, each once."""
        between = self.data.doubts({place.treatment for place in places})
        return tuple(dict.fromkeys((*_kinds(self.warned, places), *between)))

    def about(self, measure: str, *places: Place) -> Kinds:
        """Returns the kinds of warnings about a measure at these places, too few operations among them."""
        return (*self.warnings(*places), *([FEW] if self.too_few(measure, *places) else []))

    def missing(self, *places: Place) -> tuple[int, Kinds]:
        """Returns how many rungs at these places are left out, and the kinds of doubts that are the
        reason.
        """
        count = sum(len(blocks) for blocks in _at(self.left_out, places))
        return count, _kinds(self.left_out, places)


def _of_measure(
    found: Mapping[tuple[str, str, float], frozenset[int]], measure: str, places: Sequence[Place]
) -> frozenset[Cell]:
    cells = {key[1:]: None for key, blocks in found.items() if key[0] == measure and blocks}
    return frozenset(cell for place in places for cell in _cells(cells, place))


def _kinds(found: Mapping[Cell, Mapping[int, Kinds]], places: Sequence[Place]) -> Kinds:
    return tuple(
        dict.fromkeys(kind for cell in _at(found, places) for kinds in cell.values() for kind in kinds)
    )


def _at(found: Mapping[Cell, Mapping[int, Kinds]], places: Sequence[Place]) -> Iterator[Mapping[int, Kinds]]:
    """Yields every cell of these places once; a place over the whole ladder has all cells of its
    treatment.
    """
    for cell in dict.fromkeys(cell for one in places for cell in _cells(found, one)):
        yield found[cell]


def _cells(found: Mapping[Cell, object], place: Place) -> Iterator[Cell]:
    if place.load is None:
        yield from (cell for cell in found if cell[0] == place.treatment)
    elif (cell := (place.treatment, place.load)) in found:
        yield cell


def is_closed_tail(measure: str) -> bool:
    """Returns whether a closed loop measures too little of this while the server stands still: percentiles
    and maxima, unless they are corrected for it.
    """
    return share_of(measure) is not None and not measure.startswith(CORRECTED)


def higher_is_better(measure: str) -> bool:
    """Returns True for throughput; latencies, errors, waits and costs are better when lower."""
    return parted(measure)[1] in HIGHER_IS_BETTER
