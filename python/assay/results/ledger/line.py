"""One line of a ledger, and the figure to which the lines of a ledger add up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Ledger = Literal["cpu", "time", "waits", "counts"]

LEDGERS: tuple[Ledger, ...] = ("time", "cpu", "waits")
"""The ledgers in the order in which they explain a difference of throughput."""
COUNTS: Ledger = "counts"
METRICS = "metrics"
"""What a server counted while it was watched, and InnoDB's metrics among it: figures of the ledger of
counters are made of these."""

RUNNABLE, WOKEN = "runnable", "woken"
"""The group of waits for a processor, and its line of those that come after a wait for something else."""
AFTERWARDS = "then a processor"
"""The line, inside a group of waits, of the waits for a processor that come with them."""
WAKE_DELAY = "wake-delay"
"""The group of what was counted: microseconds of waiting for a processor after one wait of a group."""


def woken_after(group: str) -> str:
    """Returns the line of waits for a processor after waits of a group."""
    return f"{WOKEN} after {group}"


UNNAMED = "unnamed"
"""The group of everything that could not be named."""
NO_SWITCHES = "no-switches"
"""The line, of no amount, of a ledger of time that was made without switch records: it knows no waits."""


@dataclass(frozen=True)
class LedgerLine:
    """An amount in microseconds: of the server's processor time for one query ("cpu"), or of time for one
    transaction ("time", "waits"); or of something counted for one transaction ("counts").

    `line` is a function or a wait inside the group, "" for the rest of it.
    """

    ledger: Ledger
    group: str
    line: str
    amount: float
    unit: str = "us"


@dataclass(frozen=True)
class MeasuredLoad:
    """One load point as its measured window has it. `kind` is that of its rung, `figures` are its measures by
    name.
    """

    load: float
    kind: str
    figures: Mapping[str, float]

    def total(self, ledger: Ledger) -> float | None:
        """Returns the microseconds to which the lines of a ledger add up; None where they have no sum, as
        waits that overlap, or where the figure was not measured.

        In a closed loop the time of a transaction is connections over throughput, think time included; in an
        open loop it is the mean response time.
        """
        match ledger:
            case "cpu":
                return self.figures.get("server_cpu_us_per_query")
            case "time" if self.kind == "threads":
                tps = self.figures.get("tps")
                return 1e6 * self.load / tps if tps else None
            case "time":
                mean_ms = self.figures.get("mean_ms")
                return None if mean_ms is None else 1e3 * mean_ms
            case _:
                return None
