"""The form of a section of the bench: cells to measure, and the lines that are made of each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks import peer
from benchmarks.rounds import Cell
from benchmarks.rows import Line, Made, Row, Samples, rows_of
from benchmarks.servers import Servers
from benchmarks.settings import Settings

_THOROUGH = 5  # pairs of a bench that is not a quick one


def as_many(pairs: int) -> int:
    """Returns the rounds of most sections."""
    return pairs


def near_one(pairs: int) -> int:
    """Returns the rounds where ratios near 1 are found among swings of the machine of that size."""
    return max(pairs, 9) if pairs >= _THOROUGH else pairs


@dataclass(frozen=True)
class Section:
    """A section of the bench, one file each in `sections/`."""

    name: str
    title: str
    note: str  # what one must know to read it
    cells: Callable[[Settings, Servers], Sequence[Cell]]
    lines: Sequence[Line | Made]
    rounds: Callable[[int], int] = as_many  # fewer for what does not vary, more for what swings
    missing: Callable[[], Sequence[str]] = tuple  # what is not measured for want of a peer, and how to get it
    bars: bool = False  # each target is said in a line of its own, whether it is met
    peer: Callable[[], str] = peer.version  # whom ours stands beside

    def rows(self, samples: Sequence[Samples]) -> list[Row]:
        """Returns the rows of every cell that was measured."""
        return rows_of(self.lines, samples)
