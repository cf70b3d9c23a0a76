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


def steps_of(count: int) -> int:
    """Returns how many answers a search among `count` needs at most, if each is good or bad; at least one."""
    return max(1, math.ceil(math.log2(max(count - 1, 1))))


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
