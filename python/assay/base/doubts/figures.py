"""The figures of one load point from which doubts are drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Served:
    """Transactions of the measured window by connection, or by terminal where terminals share connections."""

    who: Literal["connection", "terminal"]
    least: float
    mean: float


@dataclass(frozen=True)
class Statements:
    """Statements that were sent from the start of a load to its end, and those that the server counted."""

    sent: int
    counted: int
    unsure: int
    """Statements that the server may not have come to: of transactions that failed or never ended."""
    goodbyes: int | None
    """Connections that were closed, of which some servers count each; None where nobody knows how many."""
    elapsed_s: float
    """Seconds between the two readings of the server's count."""


@dataclass(frozen=True)
class Ceiling:
    """The highest rate that a generator reaches where nothing but the generator limits it."""

    per_s: float
    reached_per_s: float
    """The rate of the load point, in the same unit."""
    unit: str
    reached_by: str
    """The generator that reaches the ceiling and what it loads, as the end of a sentence."""


@dataclass(frozen=True, kw_only=True)
class RungFigures:
    """Figures of the measured window of one load point. A figure that nobody knows raises no doubt."""

    elapsed_s: float = 0.0
    transactions: float = 0.0
    failed: float = 0.0
    abandoned: float = 0.0
    connections: float = 0.0
    fills_connections: bool = False
    """Every connection has a transaction in flight or thinks, at any moment: a closed loop without terminals
    that share connections.
    """
    mean_ms: float | None = None
    longest_ms: float | None = None
    """The mean and the longest time of a transaction."""
    think_ms: float | None = None
    """The mean pause after a transaction, 0 without one; None where only the result will say."""
    served: Served | None = None
    processor_s: float = 0.0
    """Processor time of the generator, all its threads together."""
    threads: int = 0
    """Event loops of the generator."""
    build: str = ""
    """The build of the generator, as its first event names it."""
    cores: int | None = None
    """Logical processors of the machine that generator and server share."""
    late_ms: float | None = None
    """Open loop: the 99th percentile of the lateness with which the generator started arrivals."""
    is_steady: bool | None = None
    """Whether throughput was level when the warm-up ended; None where the warm-up did not wait for that."""
    statements: Statements | None = None
    ceiling: Ceiling | None = None
