"""Judges one short open-loop window: whether its rate meets an objective of response time."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from assay.design.folder import Doubt, Event, Interval, RunResult, response_times
from assay.system.engine import per_second

GROWTH = 0.02
"""Share of the arrivals that may be left in the queue at the end of a window, beyond one a connection."""
GIVEN_UP = 0.01
"""Share of the transactions that may fail."""


@dataclass(frozen=True)
class Objective:
    """The objective that a `share` of the transactions (0.99) ends within `limit_ms` of its scheduled
    time.
    """

    share: float
    limit_ms: float

    def __str__(self) -> str:
        return f"p{self.share * 100:g} ≤ {self.limit_ms:g} ms"


@dataclass(frozen=True)
class Probe:
    """The outcome of one window. `quantile_ms` is the response time at the objective's share; rates are per
    second.
    """

    rate: float
    seconds: float
    achieved: float
    quantile_ms: float | None
    quantile_at_least: bool  # operations never ended: the true time may be any above
    queue_before: int
    queue_after: int
    dropped: int
    failed: int
    abandoned: int
    beyond: int  # transactions that took too long, never ended or failed; all of them in an overload
    total: int
    overload: str | None  # why, in words
    met: bool
    doubts: tuple[str, ...] = ()

    def as_record(self) -> dict[str, Any]:
        """Returns the probe as a record for JSON."""
        return asdict(self) | {"doubts": list(self.doubts)}


@dataclass
class Queue:
    """Watches a window: the queue's length before and after it, and the engine's doubts."""

    before: int = 0
    after: int = 0
    doubts: list[str] = field(default_factory=list)

    def heard(self, event: Event) -> None:
        """Takes in intervals and doubts, and ignores other events."""
        if isinstance(event, Doubt):
            self.doubts.append(event.kind)
        elif isinstance(event, Interval) and event.phase == "warmup":
            self.before = event.queued
        elif isinstance(event, Interval) and event.phase == "measure":
            self.after = event.queued


def judge(result: RunResult, queue: Queue, objective: Objective, *, rate: float, connections: int) -> Probe:
    """Returns the window's probe. An overloaded window fails whatever its times, since the slowest operations
    are still queued.
    """
    times = response_times(result)
    lost = result.dropped + result.abandoned + result.failed
    beyond, total = (lost, lost) if times is None else times.beyond(objective.limit_ms)
    quantile = None if times is None else times.percentile(objective.share)
    overload = _overload(result, queue, rate=rate, connections=connections)
    if overload or not total:
        beyond = total = max(total, 1)
    return Probe(
        rate=rate,
        seconds=result.elapsed_s,
        achieved=per_second(result.transactions, result.elapsed_s),
        quantile_ms=None if quantile is None else quantile.ms,
        quantile_at_least=quantile is not None and quantile.at_least,
        queue_before=queue.before,
        queue_after=queue.after,
        dropped=result.dropped,
        failed=result.failed,
        abandoned=result.abandoned,
        beyond=beyond,
        total=total,
        overload=overload,
        met=beyond <= (1 - objective.share) * total,
        doubts=tuple(queue.doubts),
    )


def _overload(result: RunResult, queue: Queue, *, rate: float, connections: int) -> str | None:
    if result.dropped:
        return f"{result.dropped:,} dropped"
    if queue.after - queue.before > GROWTH * rate * result.elapsed_s + connections:
        return f"queue grew to {queue.after:,}"
    if result.failed > GIVEN_UP * (result.transactions + result.failed):
        return f"{result.failed:,} failed"
    if not result.transactions:
        return "nothing ended"
    return None
