"""Finds where the terms of a claim can be compared: equal in all factors that the claim does not name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import product

from assay.design.study import Term, level_text
from assay.design.study.claims import Axis, position
from assay.results.verdict.claims.finding import JudgingContext
from assay.results.verdict.compared import Place
from assay.results.verdict.courses import Slice
from assay.results.verdict.observations import Blocks
from assay.results.verdict.treatments import Treatment

TIME_SLICES = 5
"""Parts of the window that "over time" looks at."""

Levels = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Cell:
    """The place of each term of a claim, and the part of the window; `name` is its place on the axes."""

    name: str
    places: Mapping[Term, Place]
    part: Slice | None = None

    def blocks(self, term: Term, judging: JudgingContext) -> Blocks:
        return judging.blocks(term, self.places[term], self.part)


def bindings(
    terms: Sequence[Term], axes: Sequence[Axis], judging: JudgingContext
) -> Iterator[tuple[Cell, ...]]:
    """Yields every combination of treatments and load that a claim is about, each as a row of cells along the
    axes.

    Without axes a combination is one cell. Terms have equal levels of factors that neither they nor the axes
    name, and the same load where they name none.
    """
    terms = tuple(dict.fromkeys(terms))
    along = {name for axis in axes for name in _factor(axis, judging.treatments)}
    named = {factor for term in terms for factor, _ in term.selector.levels} | along
    # A term that names a level of an axis stays there while others go along it.
    own = [along - {factor for factor, _ in term.selector.levels} for term in terms]
    groups = [_groups(term, named, on, judging.treatments) for term, on in zip(terms, own, strict=True)]
    for alike in groups[0]:
        if not all(alike in of_term for of_term in groups):
            continue
        for chosen in product(*(of_term[alike].values() for of_term in groups)):
            moving = next((one for one, on in zip(chosen, own, strict=True) if on == along), chosen[0])
            lines = [_Line(one, on) for one, on in zip(chosen, own, strict=True)]
            points = [at for at in moving if all(at in line for line in lines)]
            points = _in_order(points)
            for loads in _loads(terms, axes, judging):
                yield tuple(_cells(terms, lines, points, loads, axes, judging))


@dataclass(frozen=True)
class _Line:
    """The treatments of a term by their place on the axes along which it varies."""

    treatments: Mapping[Levels, Treatment]
    along: Set[str]

    def __contains__(self, at: Levels) -> bool:
        return self._own(at) in self.treatments

    def __getitem__(self, at: Levels) -> Treatment:
        return self.treatments[self._own(at)]

    def _own(self, at: Levels) -> Levels:
        return tuple((name, level) for name, level in at if name in self.along)


def _cells(
    terms: Sequence[Term],
    lines: Sequence[_Line],
    points: Sequence[Levels],
    loads: Sequence[float | None],
    axes: Sequence[Axis],
    judging: JudgingContext,
) -> Iterator[Cell]:
    slices = [Slice(number, TIME_SLICES, judging.window) for number in range(TIME_SLICES)]
    over_time = any(axis.is_time for axis in axes)
    for at, load, part in product(points, loads, slices if over_time else [None]):
        name = [level for _, level in at]
        if any(axis.is_load for axis in axes) and load is not None:
            name.append(level_text(load))
        if part is not None:
            name.append(f"{part.number + 1}/{part.count}")
        places = {
            term: judging.at(line[at], load if term.selector.load is None else term.selector.load)
            for term, line in zip(terms, lines, strict=True)
        }
        yield Cell(", ".join(name), places, part)


def _loads(
    terms: Sequence[Term], axes: Sequence[Axis], judging: JudgingContext
) -> Iterator[tuple[float | None, ...]]:
    """Yields the loads of each row of cells; None stands for each term's own load."""
    if any(axis.is_load for axis in axes):
        yield tuple(judging.loads)
    elif any(term.selector.load is not None for term in terms):
        yield (None,)
    else:
        yield from ((load,) for load in judging.loads)


def _groups(
    term: Term, named: set[str], along: set[str], treatments: Sequence[Treatment]
) -> dict[Levels, dict[Levels, dict[Levels, Treatment]]]:
    """Returns a term's treatments by the levels that all terms share, then by its other levels, then by its
    place on the axes.
    """
    found: dict[Levels, dict[Levels, dict[Levels, Treatment]]] = defaultdict(lambda: defaultdict(dict))
    for one in treatments:
        if one.matches(term.selector):
            alike = tuple((name, level) for name, level in one.levels.items() if name not in named)
            own = tuple((name, level) for name, level in one.levels.items() if name in named - along)
            at = tuple((name, level) for name, level in one.levels.items() if name in along)
            found[tuple(sorted(alike))][own][tuple(sorted(at))] = one
    return found


def _factor(axis: Axis, treatments: Sequence[Treatment]) -> Iterator[str]:
    """Yields the full name of an axis's factor."""
    names = {name for one in treatments for name in one.levels}
    found = [name for name in names if axis.name in (name, name.rpartition(".")[2])]
    yield from found if not axis.is_load or found else ()


def _in_order(points: Sequence[Levels]) -> list[Levels]:
    """Returns points sorted by the levels of each axis that has an order, otherwise as the study lists
    them.
    """
    places = [[position(level) for _, level in at] for at in points]
    ordered = [None not in column for column in zip(*places, strict=True)]
    keys = [
        tuple(place if has_order else 0.0 for place, has_order in zip(row, ordered, strict=True))
        for row in places
    ]
    return [at for _, at in sorted(zip(keys, points, strict=True), key=lambda one: one[0])]
