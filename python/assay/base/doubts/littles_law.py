"""Little's law: connections in a closed loop = throughput × mean time of a transaction and its pause (Little
1961).
"""

from __future__ import annotations

from dataclasses import dataclass

from assay.base.doubts.figures import RungFigures
from assay.base.format import limits
from assay.base.format.event import Doubt

LIMIT = limits.LITTLES_LAW


@dataclass(frozen=True)
class LittlesLaw:
    """What the law accounts for. `gap` is the share of the connections' time that nothing accounts for: near
    zero when every connection always has a transaction in flight, or thinks. Positive: time is lost between
    transactions (the generator is the limit). Negative: something is counted twice.
    """

    gap: float
    limit: float
    accounted: float

    @property
    def is_broken(self) -> bool:
        return abs(self.gap) > self.limit


def check(figures: RungFigures) -> Doubt | None:
    """Returns a doubt when a closed loop breaks the law.

    The time of failed transactions is in no histogram, and that of those that never ended is not known.
    """
    if not figures.fills_connections or figures.failed or figures.abandoned:
        return None
    if figures.mean_ms is None or figures.think_ms is None or not figures.connections:
        return None
    if not figures.transactions or figures.elapsed_s <= 0:
        return None
    law = littles_law(
        figures.connections,
        figures.transactions / figures.elapsed_s,
        figures.mean_ms / 1e3,
        think_s=figures.think_ms / 1e3,
        longest_s=(figures.longest_ms or figures.mean_ms) / 1e3,
        elapsed_s=figures.elapsed_s,
    )
    if not law.is_broken:
        return None
    reason = "time is lost outside transactions" if law.gap > 0 else "something is counted twice"
    return Doubt(
        kind="littles-law",
        message=f"throughput x mean time accounts for {law.accounted:.2f} of {figures.connections:g}"
        f" connections ({-law.gap:+.1%}): {reason}",
        value=abs(law.gap),
        limit=LIMIT,
    )


def littles_law(
    connections: float,
    per_second: float,
    mean_s: float,
    *,
    think_s: float,
    longest_s: float,
    elapsed_s: float,
) -> LittlesLaw:
    """Returns the law of a window of a closed loop whose connections are no terminals' in common.

    `think_s` is the mean pause after a transaction. The ends of the window alone may cause a gap: each
    connection has a transaction that starts before it, one of them the slowest, and half of a pause lies
    outside at either end. Raises `ValueError` without connections.
    """
    gap = little_gap(connections, per_second, mean_s + think_s)
    limit = LIMIT + edge_allowance(mean_s + longest_s / connections, elapsed_s)
    if think_s:
        limit += connections / (per_second * elapsed_s)
    return LittlesLaw(gap, limit, per_second * (mean_s + think_s))


def little_gap(connections: float, per_second: float, mean_s: float) -> float:
    """Returns the share of the connections' time that the transactions do not account for."""
    if connections <= 0:
        raise ValueError("Little's law needs connections")
    return 1 - per_second * mean_s / connections


def edge_allowance(mean_s: float, elapsed_s: float) -> float:
    """Returns the gap that the window's ends alone can cause: each connection has one transaction that starts
    before it.
    """
    return mean_s / elapsed_s if elapsed_s > 0 else 1.0
