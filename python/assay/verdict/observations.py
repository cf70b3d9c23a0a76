"""Reads all measures of a study once: one value for each treatment, block, load and measure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import duckdb
import numpy as np
from numpy.typing import NDArray

from assay.stats import group_means
from assay.study import CORRECTED, HIGHER_IS_BETTER, MEASURES, Term, parted, unit_of
from assay.study.claims import Window
from assay.tally import fewest_operations, share_of
from assay.verdict.compared import FEW, Place
from assay.verdict.courses import CoursesOf, Slice, courses
from assay.verdict.data_loads import DataLoads, read_data_loads
from assay.verdict.results import DoubtNote

Blocks = Mapping[int, float]  # block -> value
FactsOf = Callable[[str], Mapping[str, Blocks]]  # name -> treatment -> blocks
COUNTER, FACT, CRASHES = "status.", "fact.", "crashes"
_FAR_ABOVE = 1e9
"""Factor by which no time that was measured can be too low, and beyond any limit of a claim."""
NOT_REACHED = ("not-reached", "pool-filling")  # doubts about windows that were still approaching their level
OF_STALLS = ("stalled", "cycling")
"""Doubts about windows with stalls: named beside every comparison of them, also as notes."""
_ATTEMPTS = (
    "SELECT treatment, block, status FROM runs UNION ALL SELECT treatment, block, status FROM attempts"
)
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


def read_observations(
    store: duckdb.DuckDBPyConnection,
    doubts: Sequence[DoubtNote] = (),
    stalled: Mapping[Cell, float] | None = None,
) -> Observations:
    """Returns every measure of every complete run, without rungs that an *invalid* one of `doubts` is
    about. `stalled` has the share of time in which a closed loop stood still.
    """
    stalled = stalled or {}
    invalid = _by_place(doubts, lambda note: note.severity == "invalid")
    warning = _by_place(doubts, lambda note: note.severity == "warning" or note.kind in OF_STALLS)
    failed = dict(
        store.execute(
            f"SELECT treatment, count(*) FROM ({_ATTEMPTS}) WHERE status = 'failed' GROUP BY ALL"
        ).fetchall()
    )
    values: dict[tuple[str, str, float], dict[int, float]] = defaultdict(dict)
    left_out: dict[Cell, dict[int, Kinds]] = defaultdict(dict)
    warned: dict[Cell, dict[int, Kinds]] = defaultdict(dict)
    approaching: dict[Cell, dict[int, Kinds]] = defaultdict(dict)
    at_least: dict[tuple[str, str, float], set[int]] = defaultdict(set)
    few: dict[tuple[str, str, float], set[int]] = defaultdict(set)
    found: dict[str, str] = {}
    query = (
        "SELECT measure, run_id, treatment, load, block, value, unit, at_least, few FROM measures"
        " ORDER BY measure, block"
    )
    for measure, run, treatment, load, block, value, unit, is_bound, is_few in store.execute(
        query
    ).fetchall():
        found.setdefault(measure, unit)
        if kinds := _about(invalid, run, load):
            left_out[treatment, load][block] = kinds
            continue
        if kinds := _about(warning, run, load):
            warned[treatment, load][block] = kinds
            if still := tuple(kind for kind in kinds if kind in NOT_REACHED):
                approaching[treatment, load][block] = still
        values[measure, treatment, load][block] = value
        if is_bound or hides_tail(measure, stalled.get((treatment, load), 0.0)):
            at_least[measure, treatment, load].add(block)
        if is_few:
            few[measure, treatment, load].add(block)
    for (treatment, load), blocks in _crashes(store).items():
        values[CRASHES, treatment, load] = blocks
    known = [measure for measure in MEASURES if measure in found]
    units = {measure: found[measure] for measure in (*known, *(m for m in found if m not in MEASURES))}
    return Observations(
        values,
        units,
        left_out,
        warned,
        invalid.get((None, None), ()),
        approaching,
        failed,
        courses(store),
        facts(store),
        {key: frozenset(blocks) for key, blocks in at_least.items()},
        {key: frozenset(blocks) for key, blocks in few.items()},
        frozenset(cell for cell, share in stalled.items() if share > 0),
        data=read_data_loads(store),
    )


def _crashes(store: duckdb.DuckDBPyConnection) -> dict[Cell, dict[int, float]]:
    """Returns failed runs of each treatment by block, at every load, since a run has one server start for all
    of them.

    Runs that were repeated since are included: that the next one lived does not undo the failure.
    """
    found: dict[Cell, dict[int, float]] = defaultdict(dict)
    for treatment, load, block, failed in store.execute(
        "SELECT r.treatment, l.load, r.block, count(*) FILTER (r.status = 'failed')"
        f" FROM ({_ATTEMPTS}) r,"
        " (SELECT DISTINCT load FROM rungs) l GROUP BY ALL ORDER BY ALL"
    ).fetchall():
        found[treatment, load][block] = float(failed)
    return found


def facts(store: duckdb.DuckDBPyConnection) -> FactsOf:
    """Returns a function that reads a fact of every complete run, by its name or the last part of it; after
    the load where recorded then.

    `on`, `true` and `yes` are 1, their opposites 0; other text has no figure.
    """

    def of(name: str) -> Mapping[str, Blocks]:
        found: dict[str, dict[int, float]] = defaultdict(dict)
        for treatment, block, value in store.execute(
            "SELECT r.treatment, r.block, f.value FROM facts f JOIN runs r ON f.run_id = r.run_id"
            " WHERE r.status = 'complete' AND (f.key = $name OR ends_with(f.key, '.' || $name))"
            " ORDER BY f.moment DESC",
            {"name": name},
        ).fetchall():
            if (figure := _figure(value)) is not None:
                found[treatment][block] = figure
        return found

    return of


def _figure(text: str) -> float | None:
    word = text.strip().strip('"').lower()
    if word in ("on", "true", "yes", "off", "false", "no"):
        return float(word in ("on", "true", "yes"))
    try:
        return float(word)
    except ValueError:
        return None


def hides_tail(measure: str, stalled: float) -> bool:
    """Returns whether a closed loop that stood still for this share of time has hidden a part of a tail that
    matters: a tenth of it.
    """
    share = share_of(measure)
    return share is not None and is_closed_tail(measure) and stalled > (1 - share) / 10


def _by_place(
    doubts: Sequence[DoubtNote], wanted: Callable[[DoubtNote], bool]
) -> dict[tuple[str | None, float | None], Kinds]:
    """Returns the kinds of doubts by run and load; None stands for all runs or all loads."""
    found: dict[tuple[str | None, float | None], list[str]] = defaultdict(list)
    for note in doubts:
        if wanted(note):
            found[note.run_id, note.load].append(note.kind)
    return {place: tuple(dict.fromkeys(kinds)) for place, kinds in found.items()}


def _about(found: Mapping[tuple[str | None, float | None], Kinds], run: str, load: float) -> Kinds:
    """Returns doubts about this rung of this run, about the whole run, and about this load in all runs."""
    places = ((run, load), (run, None), (None, load))
    return tuple(dict.fromkeys(kind for place in places for kind in found.get(place, ())))


def higher_is_better(measure: str) -> bool:
    """Returns True for throughput; latencies, errors, waits and costs are better when lower."""
    return parted(measure)[1] in HIGHER_IS_BETTER
