"""The interface of a section of the bench: cells to measure, and the rows made of their samples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks import peer
from benchmarks.rounds import Cell
from benchmarks.rows import Row, Samples
from benchmarks.servers import Servers
from benchmarks.settings import Settings


def _as_many(pairs: int) -> int:
    return pairs


@dataclass(frozen=True)
class Section:
    """A section of the bench, one file each in `sections/`."""

    name: str
    title: str
    note: str  # what one must know to read it
    cells: Callable[[Settings, Servers], Sequence[Cell]]
    rows: Callable[[Sequence[Samples]], Sequence[Row]]
    rounds: Callable[[int], int] = _as_many  # fewer for what does not vary, more for what swings
    missing: Callable[[], Sequence[str]] = tuple  # what is not measured for want of a peer, and how to get it
    bars: bool = False  # each target is said in a line of its own, whether it is met
    peer: Callable[[], str] = peer.version  # whom ours stands beside
