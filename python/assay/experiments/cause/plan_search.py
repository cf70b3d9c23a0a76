"""Searches the smallest set of changes that gives a statement another plan: pure, of any changes and any
question.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Generic, TypeVar

C = TypeVar("C")

MOST_TOGETHER = 3
"""Changes of one set. Four of forty are ninety thousand questions."""
MOST_ASKED = 12_000


@dataclass(frozen=True)
class SmallestSets(Generic[C]):
    """The sets of changes that restore a plan, all of the smallest size that has any. `asked`: how many sets
    were tried; `is_whole` is False where the search ended before all sets of its sizes were.
    """

    sets: tuple[tuple[C, ...], ...]
    asked: int
    is_whole: bool


def smallest_sets(
    changes: Sequence[C],
    restores: Callable[[tuple[C, ...]], bool],
    *,
    most_together: int = MOST_TOGETHER,
    most_asked: int = MOST_ASKED,
    excludes: Callable[[tuple[C, ...]], bool] = lambda _: False,
    goes_on: Callable[[], bool] = lambda: True,
) -> SmallestSets[C]:
    """Asks `restores` of every set of one change, then of two, and so on, until some of a size do.

    No set is skipped because a smaller part of it does nothing: flags of an optimizer act together, and one
    may hide what another does. `excludes`: sets that contradict themselves, such as two values of one
    variable. `goes_on`: whether there is time for one more. Sets are asked in the order of the changes, so
    that the likelier ones should come first.
    """
    asked = 0
    for size in range(1, most_together + 1):
        found: list[tuple[C, ...]] = []
        for one in combinations(changes, size):
            if excludes(one):
                continue
            if asked >= most_asked or not goes_on():
                return SmallestSets(tuple(found), asked, False)
            asked += 1
            if restores(one):
                found.append(one)
        if found:
            return SmallestSets(tuple(found), asked, True)
    return SmallestSets((), asked, True)
