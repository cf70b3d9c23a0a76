"""Frozen records of ledgers: what a difference between two treatments is made of, line by line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

LineWord = Literal["moved", "bounded", "by-the-clock", "estimate-only"]
"""The word for a line. `moved`: its difference is certain, with all lines of its family together. `bounded`:
it is not, and it is no larger than the line's `limit`. `by-the-clock`: it follows from the rate of queries
alone, since the server does as much of it a second. `estimate-only`: there are fewer blocks than a verdict
needs.
"""

COUNTERS = "counters"
"""The name of the ledger of counters, which every results folder has; the others are in
`assay.results.ledger`.
"""

REST = "*"
"""The name, inside a group, of what has no line of its own there."""

SMALLER = "smaller"
"""The name of what has no group of its own in a comparison; its lines are the groups."""


MACHINE = "machine-speed"
"""The name of what the speed of the machine made of a difference, as the load generator shows it."""

ALIKE = "all-alike"
"""The name of what most lines share, where the load generator does not show that the machine makes it."""


@dataclass(frozen=True)
class LineShift:
    """One line of a ledger at two treatments: means over blocks, and their paired difference.

    `line` is a function or a wait inside the group, and "" the whole group. `low` and `high` are the
    difference's own interval at the confidence of the results, None below two blocks. `limit`, `detectable`
    and `p` are as in `assay.results.stats.Shift`. `share` is the line's part of the whole difference of the
    ledger, where that is certain.
    """

    group: str
    line: str
    unit: str
    before: float
    after: float
    change: float
    low: float | None
    high: float | None
    word: LineWord
    limit: float | None = None
    detectable: float | None = None
    p: float | None = None
    share: float | None = None


@dataclass(frozen=True)
class PairedRuns:
    """The two runs of one block, and the load of their data where loads are the units in place of blocks.

    `speeds`: what their amounts are multiplied with, to be those of a machine of one speed.
    """

    before: str
    after: str
    load: int | None = None
    speeds: tuple[float, float] = (1.0, 1.0)


@dataclass(frozen=True)
class LedgerShift:
    """A ledger at two treatments and one load point, in the blocks that have both.

    `before`, `after`, `change` with its interval are those of what was measured and the lines add up to; None
    for a ledger without a sum. `moved`: that difference is certain by itself. `apart` is the part of it that
    the lines do not have. `lines` have moved ones first, each group before its own lines. `loads` is the
    number of loads of the data, where these are the units in place of blocks; `needed`: the units that a
    verdict needs, None where nobody asked. `runs` are those that the lines are of; () for counters, where
    each figure has its own. `uncompared` names figures or groups that were not counted alike on both sides.
    """

    baseline: str
    other: str
    load: float
    ledger: str
    blocks: int
    lines: tuple[LineShift, ...]
    before: float | None = None
    after: float | None = None
    change: float | None = None
    low: float | None = None
    high: float | None = None
    moved: bool = False
    apart: float | None = None
    loads: int | None = None
    needed: int | None = None
    runs: tuple[PairedRuns, ...] = ()
    uncompared: tuple[str, ...] = ()

    @property
    def units(self) -> int:
        """The number of values that every line has: of blocks, or of loads of the data."""
        return self.blocks if self.loads is None else self.loads

    @property
    def named(self) -> tuple[LineShift, ...]:
        """The groups that have moved."""
        return tuple(one for one in self.lines if one.word == "moved" and not one.line)

    @property
    def groups(self) -> tuple[LineShift, ...]:
        """The groups, without the lines inside them."""
        return tuple(one for one in self.lines if not one.line)

    @property
    def detectable(self) -> float | None:
        """The difference that every group would have shown in 80 % of studies."""
        found = [one.detectable for one in self.groups]
        known = [one for one in found if one is not None]
        return max(known) if known and len(known) == len(found) and self.before is not None else None
