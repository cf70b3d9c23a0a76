"""The list of the doubts that figures of one load point raise."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from assay.base.doubts import (
    conservation,
    generator_busy,
    generator_share,
    late_pacing,
    littles_law,
    near_ceiling,
    not_steady,
    quick_build,
    starved,
)
from assay.base.doubts.figures import RungFigures
from assay.base.format.event import Doubt

CHECKS: tuple[Callable[[RungFigures], Doubt | None], ...] = (
    littles_law.check,
    generator_busy.check,
    generator_share.check,
    quick_build.check,
    late_pacing.check,
    starved.check,
    conservation.check,
    near_ceiling.check,
    not_steady.check,
)
"""Each looks at the figures of one load point; a new one is a file and its place here."""


def doubts_of(figures: RungFigures) -> Iterator[Doubt]:
    """Yields every doubt that the figures raise, in the order of the list."""
    for check in CHECKS:
        if (doubt := check(figures)) is not None:
            yield doubt


def unsaid_doubts(figures: RungFigures, said: Collection[str]) -> Iterator[Doubt]:
    """Yields the doubts whose kind nobody has said yet.

    An engine says some of them itself, from instants that no result holds; its word goes first.
    """
    yield from (doubt for doubt in doubts_of(figures) if doubt.kind not in said)
