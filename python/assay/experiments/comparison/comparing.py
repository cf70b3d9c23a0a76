"""Compares two grids: a ratio for each cell, and the agreement of their shapes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from assay.base.errors import InputError
from assay.design.study import HIGHER_IS_BETTER, Unlikeness
from assay.experiments.comparison.grid import Grid, GridFigure
from assay.experiments.comparison.likeness import other_tables, refuse_other_work, unlike
from assay.experiments.comparison.matching import Matched, PairedAxis, is_ordered, match
from assay.results.stats import RankAgreement, rank_agreement
from assay.results.verdict import FILE_DOUBTS, Decision, Side, unpaired_decision

KNEE = 0.95
"""The knee is the first level with this share of the most, as in claims."""
_LADDERS = ("threads", "rate", "iodepth", "sample")


@dataclass(frozen=True)
class CellRatio:
    """One cell of both grids: `levels` are pairs of the left's and the right's. `decision` has the ratio left
    / right; None where the right is zero or below.
    """

    measure: str
    levels: tuple[tuple[str, str], ...]
    left: float
    right: float
    decision: Decision | None

    @property
    def ratio(self) -> float | None:
        """Left / right."""
        return None if self.decision is None else self.decision.figure

    @property
    def low(self) -> float | None:
        """The lower end of its interval; None where the ratio is an estimate."""
        return None if self.decision is None or self.decision.interval is None else self.decision.interval[0]

    @property
    def high(self) -> float | None:
        """The upper end of its interval; None where the ratio is an estimate."""
        return None if self.decision is None or self.decision.interval is None else self.decision.interval[1]


@dataclass(frozen=True)
class ShapeAgreement:
    """The agreement of two courses along one axis: the best level and the knee of each, and their order of
    ranks.

    `series`: the levels of the other axes, as the left has them. Levels are the left's. The knee is None for
    measures that are better when lower, and along words.
    """

    measure: str
    series: str
    points: int
    ranks: RankAgreement | None
    best: tuple[str, str]
    knee: tuple[str, str] | None


@dataclass(frozen=True)
class BestLevels:
    """At how many of `of` places the same level of an axis is the best on both sides."""

    measure: str
    axis: str
    agree: int
    of: int


@dataclass(frozen=True)
class GridComparison:
    """The comparison of two grids. `along`: the axis that courses follow, None without one."""

    left: Grid
    right: Grid
    matched: Matched
    measures: tuple[str, ...]
    along: PairedAxis | None
    cells: tuple[CellRatio, ...]
    shapes: tuple[ShapeAgreement, ...]
    best: tuple[BestLevels, ...]
    unlike: tuple[Unlikeness, ...]

    @property
    def obstacles(self) -> tuple[str, ...]:
        """What withholds the interval of some ratio, each once."""
        found = (one.decision.obstacles for one in self.cells if one.decision is not None)
        return tuple(dict.fromkeys(name for each in found for name in each))

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences that a reader must know before the figures."""
        units = [
            f"{name} is in {self.left.units[name]} on the left and in {self.right.units[name]} on the right"
            for name in self.measures
            if len({grid.units[name].removeprefix("1") for grid in (self.left, self.right)} - {""}) > 1
        ]
        lost = [
            f"{grid.name}: {': '.join(part for part in (note.run_id, note.message) if part)}"
            for grid in (self.left, self.right)
            for note in grid.doubts
            if note.kind in FILE_DOUBTS
        ]
        return (*lost, *self.matched.notes, *units, *other_tables(self.left, self.right))


def compare(
    left: Grid, right: Grid, measures: Sequence[str] = (), at: Mapping[str, str] | None = None
) -> GridComparison:
    """Compares two grids.

    `measures`: those to compare; without them, the headline measures of either side that both have. Raises
    InputError for two kinds of work, where nothing is common, and what `match` raises.
    """
    refuse_other_work(left, right)
    matched = match(left, right, at)
    chosen = _measures(left, right, measures)
    pairs = _cells(left, right, matched, chosen)
    if not pairs:
        raise InputError(f"{left.name} and {right.name} have no cell in common")
    along = _along(matched.axes)
    return GridComparison(
        left=left,
        right=right,
        matched=matched,
        measures=chosen,
        along=along,
        cells=tuple(
            CellRatio(measure, levels, one.value, other.value, _decision((left, one), (right, other)))
            for (measure, levels), (one, other) in pairs.items()
        ),
        shapes=() if along is None else tuple(_shapes(pairs, matched.axes, along, chosen)),
        best=tuple(_best(pairs, matched.axes, along, chosen)),
        unlike=unlike(left, right, [axis.name for axis in matched.axes]),
    )


Place = tuple[str, tuple[tuple[str, str], ...]]
Pairs = dict[Place, tuple[GridFigure, GridFigure]]


def _measures(left: Grid, right: Grid, wanted: Sequence[str]) -> tuple[str, ...]:
    common = [name for name in left.units if name in right.units]
    if unknown := [name for name in wanted if name not in common]:
        raise InputError(
            f"{unknown[0]} is not a measure of both sides",
            hint=f"both have {', '.join(sorted(common)) or 'none'}",
        )
    first = [*left.headlines, *right.headlines]
    if any(grid.headlines == tuple(grid.units) for grid in (left, right)):  # it has no others
        first = list(left.units) if left.headlines == tuple(left.units) else list(right.units)
    found = tuple(wanted) or tuple(dict.fromkeys(name for name in first if name in common))
    if not found:
        raise InputError(
            f"{left.name} and {right.name} have no measure in common",
            hint=f"the first has {', '.join(left.headlines)} …, the second {', '.join(right.headlines)} …",
        )
    return found


def _cells(left: Grid, right: Grid, matched: Matched, measures: Sequence[str]) -> Pairs:
    """Returns the cells that both have, in the order of the left's levels."""
    ours = {place: _place(left, place, matched, 0) for place in left.cells}
    theirs = {_place(right, place, matched, 1): figure for (place, figure) in right.cells.items()}
    found: Pairs = {}
    for place, levels in ours.items():
        if levels is not None and place[0] in measures:
            other = theirs.get(levels)
            if other is not None:
                found[levels] = (left.cells[place], other)
    order = [{pair: number for number, pair in enumerate(axis.levels)} for axis in matched.axes]
    return dict(
        sorted(
            found.items(),
            key=lambda item: (
                measures.index(item[0][0]),
                *(ranks[pair] for ranks, pair in zip(order, item[0][1], strict=True)),
            ),
        )
    )


def _place(grid: Grid, place: tuple[str, tuple[str, ...]], matched: Matched, side: int) -> Place | None:
    """Returns the place of a cell as pairs of levels; None where an axis has no counterpart, or another level
    is chosen.
    """
    measure, levels = place
    if any(levels[number] != level for number, level in matched.fixed[side].items()):
        return None
    pairs = []
    for axis in matched.axes:
        level = levels[axis.left if side == 0 else axis.right]
        pair = next((pair for pair in axis.levels if pair[side] == level), None)
        if pair is None:
            return None
        pairs.append(pair)
    return measure, tuple(pairs)


def _decision(*of: tuple[Grid, GridFigure]) -> Decision | None:
    left, right = (
        Side(
            work=grid.work,
            value=figure.value,
            blocks=figure.blocks,
            fewest=grid.fewest,
            confidence=grid.confidence,
            doubts=figure.doubts,
        )
        for grid, figure in of
    )
    return unpaired_decision(left, right)


def _along(axes: Sequence[PairedAxis]) -> PairedAxis | None:
    """Returns the axis to follow: the ladder of the load, otherwise the axis with most levels; None when all
    have one level.
    """
    courses = [axis for axis in axes if len(axis.levels) > 1]
    ladder = [axis for axis in courses if axis.name in _LADDERS]
    return max(ladder or courses, key=lambda axis: len(axis.levels), default=None)


def _shapes(
    pairs: Pairs, axes: Sequence[PairedAxis], along: PairedAxis, measures: Sequence[str]
) -> list[ShapeAgreement]:
    others = [axis for axis in axes if axis is not along]
    rises = is_ordered([level for level, _ in along.levels])
    return [
        ShapeAgreement(
            measure=measure,
            series=", ".join(f"{a.name}={pair[0]}" for a, pair in zip(others, series, strict=True)),
            points=len(row),
            ranks=rank_agreement([one.left for one in row], [one.right for one in row]),
            best=_best_of(measure, row),
            knee=_knee(row) if rises and measure in HIGHER_IS_BETTER else None,
        )
        for measure in measures
        for series, row in _courses(pairs, list(axes).index(along), measure).items()
    ]


class _Step(NamedTuple):
    """One level of a course, by the left's name, with the figures of both sides."""

    level: str
    left: float
    right: float


Course = Sequence[_Step]
Levels = tuple[tuple[str, str], ...]


def _courses(pairs: Pairs, at: int, measure: str) -> dict[Levels, list[_Step]]:
    """Returns the courses of a measure along the axis at this place, by the levels of the other axes."""
    found: dict[Levels, list[_Step]] = {}
    for (name, levels), (left, right) in pairs.items():
        if name == measure:
            others = (*levels[:at], *levels[at + 1 :])
            found.setdefault(others, []).append(_Step(levels[at][0], left.value, right.value))
    return found


def _best_of(measure: str, course: Course) -> tuple[str, str]:
    """Returns the level with the best figure, left and right; of equal ones the first."""
    best = max if measure in HIGHER_IS_BETTER else min
    return best(course, key=lambda one: one.left).level, best(course, key=lambda one: one.right).level


def _knee(course: Course) -> tuple[str, str]:
    """Returns the first level with 95 % of the highest figure, left and right."""
    left, right = KNEE * max(one.left for one in course), KNEE * max(one.right for one in course)
    return (
        next(one.level for one in course if one.left >= left),
        next(one.level for one in course if one.right >= right),
    )


def _best(
    pairs: Pairs, axes: Sequence[PairedAxis], along: PairedAxis | None, measures: Sequence[str]
) -> list[BestLevels]:
    """Returns, for each axis that is not followed, how often both sides have the same best level of it."""
    found = []
    for at, axis in enumerate(axes):
        for measure in measures if axis is not along else ():
            courses = [one for one in _courses(pairs, at, measure).values() if len(one) > 1]
            bests = [_best_of(measure, one) for one in courses]
            if bests:
                found.append(BestLevels(measure, axis.name, sum(a == b for a, b in bests), len(bests)))
    return found
