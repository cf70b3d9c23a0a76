"""Searches a row that begins with a good item and ends with a bad one for the first bad one."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Answer = Literal["good", "bad", "unknown"]


@dataclass(frozen=True)
class Bracket:
    """The result of a search so far: the places of the last good item and the first bad one."""

    good: int
    bad: int

    @property
    def is_closed(self) -> bool:
        """Whether the first bad item is found: nothing lies between."""
        return self.bad - self.good == 1


def looks_of(count: int) -> int:
    """Returns how many comparisons a search among `count` makes, if each answers good or bad: one of the two
    ends, and then so many as halvings leave one.
    """
    return 1 + math.ceil(math.log2(max(count - 1, 1)))


def error_of(number: int, count: int, error: float) -> float:
    """Returns the error that comparison `number`, from 1, of a search among `count` may have, so that all
    that are ever made have `error` together (Bonferroni).

    An item that stays unknown is skipped, and its neighbours are asked about instead: such comparisons beyond
    the usual ones share a tenth of the error, since there can be as many as items.
    """
    usual = looks_of(count)
    further = max(count - 1 - usual, 0)
    if not further:
        return error / usual
    return 0.9 * error / usual if number <= usual else 0.1 * error / further


def first_bad(count: int, ask: Callable[[int], Answer]) -> Bracket:
    """Searches a row of `count`, of which the first is good and the last is bad, by asking about the middle.

    Where `ask` does not know, the next nearest to the middle is asked about; each is asked about once. The
    bracket stays open where the items between are unknown. Raises ValueError for fewer than two.
    """
    if count < 2:
        raise ValueError("a search needs a good one and a bad one")
    found = Bracket(0, count - 1)
    unknown: set[int] = set()
    while between := [place for place in range(found.good + 1, found.bad) if place not in unknown]:
        middle = (found.good + found.bad) / 2
        place = min(between, key=lambda one: abs(one - middle))
        answer = ask(place)
        if answer == "good":
            found = Bracket(place, found.bad)
        elif answer == "bad":
            found = Bracket(found.good, place)
        else:
            unknown.add(place)
    return found
