"""The ledger of one run: its lines, and what they add up to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from assay.results.ledger import NO_SWITCHES, UNNAMED, UNSEEN_KERNEL

Name = tuple[str, str]
"""A group, and a line inside it."""
Amounts = Mapping[Name, float]

WITHIN = 0.01
"""Share of what was measured by which the lines of a run, or of a difference, may miss it."""


@dataclass(frozen=True)
class RunLedger:
    """The lines of one run at one load point, and the total that was measured; None for lines without one.

    `generator` is what the load generator took of a processor for one query in the same window, where it is
    known. `speed` is what all amounts are multiplied with, to have both runs of a block at one speed.

    `delays` are the microseconds that a thread waits for a processor after one wait of a group, and after any
    wait under "".
    """

    run_id: str
    amounts: Amounts
    total: float | None
    delays: Mapping[str, float] = field(default_factory=dict)
    generator: float | None = None
    speed: float = 1.0

    @property
    def is_whole(self) -> bool:
        """Whether the lines add up to what was measured, within 1 % of it."""
        return self.total is None or abs(self.sum - self.total) <= WITHIN * abs(self.total)

    @property
    def sum(self) -> float:
        """The sum of all lines."""
        return sum(self.amounts.values())

    @property
    def blind(self) -> frozenset[str]:
        """What its sources could not see: `kernel-unseen`, `no-switches`. Amounts of runs that saw different
        things are no pair: what one could not see would seem to be gone.
        """
        kernel = {group for group, _ in self.amounts if group == UNSEEN_KERNEL}
        return frozenset(kernel | ({NO_SWITCHES} if (UNNAMED, NO_SWITCHES) in self.amounts else set()))
