"""Types of claims about printed figures, and how far apart figures may be that are the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from assay.design.study.claims import Claim, Relation
from assay.results.audit.model import Cell

Known = Mapping[str, set[str]]
"""The levels of each factor in the tables of a study."""
About = Callable[[Cell], bool]

SAME, _NOT_WORSE = 0.05, 0.01


@dataclass(frozen=True)
class PrintedClaim:
    """A claim about printed figures.

    `about` selects figures of tables; `stands_for` says whether a printed figure is one of a measure of the
    claim. `lead`: how far a figure is ahead says how sure the claim is.
    """

    claim: Claim
    about: About
    stands_for: Callable[[Cell, str], bool]
    margin: float
    lead: bool


def margin_of(relation: Relation) -> float:
    """Returns how far apart printed figures may be that are the same, or that are not less: they have no
    interval.
    """
    return {"~": SAME, "!~": SAME, ">=": _NOT_WORSE, "<=": _NOT_WORSE}.get(relation, 0.0)
