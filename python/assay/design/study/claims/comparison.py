"""The claims `tps[a=4] > tps[a=1] by 10 %` and `20 <= load_average <= 50`: a chain of sides with
relations.
"""

from __future__ import annotations

from dataclasses import dataclass

from assay.design.study.claims.axes import Axis
from assay.design.study.claims.expressions import chain
from assay.design.study.claims.kind import ClaimKind
from assay.design.study.claims.ranges import mean_over
from assay.design.study.claims.reader import ClaimReader, Relation
from assay.design.study.claims.sides import Band, Difference, Figure, Quotient, Side
from assay.design.study.claims.terms import Term

MIRRORED: dict[Relation, Relation] = {">": "<", "<": ">", ">=": "<=", "<=": ">=", "~": "~", "!~": "!~"}


@dataclass(frozen=True)
class Link:
    """One relation of a comparison. A figure is always its right side, wherever it was written."""

    left: Side
    relation: Relation
    right: Side
    by: Band | None = None
    over: Axis | None = None

    @property
    def uses_margin(self) -> bool:
        """Whether the margin matters; a figure after an order, and a band, are compared without one."""
        if self.by is not None:
            return False
        return self.relation in ("~", "!~") or not isinstance(self.right, Figure)


@dataclass(frozen=True)
class ComparisonClaim(ClaimKind):
    """Claims a relation between each side and the next; `bands[n]` says how far apart sides n and n + 1 are.

    Between sides that are measured, `>` means greater by more than the margin, `>=` not less by more than it,
    `~` the same within it, `!~` different beyond it. A figure after `>` and the like is compared without a
    margin. With `over`, each side is its geometric mean over all points of the axis.
    """

    sides: tuple[Side, ...]
    relations: tuple[Relation, ...]
    bands: tuple[Band | None, ...]
    over: Axis | None = None

    @classmethod
    def parse(cls, text: ClaimReader) -> ComparisonClaim:
        sides, relations, bands = chain(text)
        return cls(sides, relations, bands, mean_over(text, sides))

    @property
    def links(self) -> tuple[Link, ...]:
        """Every relation with its two sides, from left to right; all of them must hold."""
        found = []
        for number, (relation, by) in enumerate(zip(self.relations, self.bands, strict=True)):
            left, right = self.sides[number], self.sides[number + 1]
            if isinstance(left, Figure):
                left, relation, right = right, MIRRORED[relation], left
            found.append(Link(left, relation, right, by, self.over))
        return tuple(found)

    @property
    def uses_margin(self) -> bool:
        return any(link.uses_margin for link in self.links)

    @property
    def pairs(self) -> tuple[tuple[Term, Term], ...]:
        """The compared pairs: right before left of each relation between terms, and below before above of `/`
        and `-`.
        """
        found: list[tuple[Term, Term]] = []
        for link in self.links:
            if isinstance(link.left, Term) and isinstance(link.right, Term):
                found.append((link.right, link.left))
            found += [pair for side in (link.left, link.right) for pair in _inside(side)]
        return tuple(dict.fromkeys(found))

    def __str__(self) -> str:
        said = str(self.sides[0])
        for relation, side, by in zip(self.relations, self.sides[1:], self.bands, strict=True):
            said += f" {relation} {side}" + (f" {by}" if by else "")
        return said + (f" over {self.over}" if self.over else "")


def _inside(side: Side) -> list[tuple[Term, Term]]:
    match side:
        case Quotient(numerator, denominator):
            return [(denominator, numerator)]
        case Difference(Term() as left, Term() as right):
            return [(right, left)]
        case Difference(left, right):
            return [pair for one in (left, right) for pair in _inside(one)]
    return []
