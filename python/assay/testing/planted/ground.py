"""The places at which a planted claim is true or false: the treatments and load points that it selects.

Nothing here uses the rooms that judge: what a claim selects is computed a second time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from assay.design.study import Claim, Factor, LoadKind, Term, level_text
from assay.design.study.claims import Among, Axis, Window, position, within

Levels = tuple[tuple[str, str], ...]
"""A treatment: full names of factors with the texts of their levels, in the study's order."""


@dataclass(frozen=True)
class Spot:
    """A place with one value a block: a measure of a treatment at a load point, in a part of the window."""

    measure: str
    treatment: Levels
    load: float
    window: Window | None = None


@dataclass(frozen=True)
class Leaf:
    """A term of a claim at the spot where it is evaluated."""

    term: Term
    spot: Spot


Cell = Mapping[Term, Leaf]


@dataclass(frozen=True)
class Ground:
    """A factorial study: its factors, ladder, region of indifference, and part of the window."""

    factors: tuple[Factor, ...]
    loads: tuple[float, ...]
    kind: LoadKind = "threads"
    margin: float = 0.02
    window: Window | None = None

    @property
    def treatments(self) -> tuple[Levels, ...]:
        texts = [[(one.name, level_text(level)) for level in one.levels] for one in self.factors]
        return tuple(product(*texts))

    def of(self, claim: Claim) -> Ground:
        """Returns this ground restricted to the points of a claim."""
        found = replace(self, window=claim.window)
        if claim.at is None:
            return found
        axis, where = claim.at.axis, claim.at.where
        if axis.is_load:
            return replace(found, loads=within(where, self.loads))
        factors = [
            replace_levels(one, within(where, one.levels)) if one.name == axis.name else one
            for one in self.factors
        ]
        return replace(found, factors=tuple(factors))

    def rows(self, terms: Sequence[Term], axes: Sequence[Axis] = ()) -> Iterator[tuple[Cell, ...]]:
        """Yields every combination of treatments and load that the terms share, as rows of cells along the
        axes.

        Terms have equal levels of factors that none of them names. A term that names a level of an axis has
        only that level.
        """
        terms = tuple(dict.fromkeys(terms))
        along = [one for axis in axes for one in self.factors if one.name == axis.name]
        named = {name for term in terms for name, _ in term.selector.levels}
        shared = [one for one in self.factors if one.name not in named and one not in along]
        over_load = any(axis.is_load for axis in axes)
        steps = [[(one.name, text) for text in in_order(one)] for one in along]
        ladders: list[tuple[float, ...]] = [self.loads] if over_load else [(load,) for load in self.loads]
        if all(term.selector.load is not None for term in terms):
            ladders = ladders[:1]
        for alike in product(*([(one.name, level_text(x)) for x in one.levels] for one in shared)):
            for chosen in product(*(product(*self._options(term, named, along)) for term in terms)):
                for ladder in ladders:
                    yield tuple(
                        {
                            term: self.leaf(term, dict((*alike, *at, *levels)), load)
                            for term, levels in zip(terms, chosen, strict=True)
                        }
                        for at in product(*steps)
                        for load in ladder
                    )

    def _options(
        self, term: Term, named: set[str], along: Sequence[Factor]
    ) -> Iterator[list[tuple[str, str]]]:
        """Yields the levels that a term may have of each factor that a term names; on an axis only its
        own.
        """
        own = dict(term.selector.levels)
        for one in self.factors:
            if one.name in own or (one.name in named and one not in along):
                level = own.get(one.name, Among("or", one.levels))
                levels = level.levels if isinstance(level, Among) else (level,)
                yield [(one.name, level_text(each)) for each in levels]

    def leaf(self, term: Term, levels: Mapping[str, str], load: float) -> Leaf:
        """Returns a term at a treatment, and at the given load point where it names none of its own."""
        treatment = tuple((one.name, levels[one.name]) for one in self.factors)
        own = load if term.selector.load is None else term.selector.load
        return Leaf(term, Spot(term.measure, treatment, own, term.window or self.window))


def name_of(treatment: Levels) -> str:
    """Returns a treatment's name as a plan has it: "a=1, b=x"; "default" where nothing varies."""
    return ", ".join(f"{name.rpartition('.')[2]}={level}" for name, level in treatment) or "default"


def in_order(factor: Factor) -> list[str]:
    """Returns the texts of a factor's levels, the least first; in the study's order where they have none."""
    places = [position(level) for level in factor.levels]
    texts = [level_text(level) for level in factor.levels]
    if any(at is None for at in places):
        return texts
    return [text for _, text in sorted(zip(places, texts, strict=True), key=lambda one: one[0] or 0.0)]


def replace_levels(factor: Factor, levels: Sequence[object]) -> Factor:
    return factor.model_copy(update={"levels": tuple(levels)})
