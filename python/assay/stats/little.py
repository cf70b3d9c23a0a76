"""Little's law: connections in a closed loop = throughput × mean time of a transaction (Little 1961)."""

from __future__ import annotations

from dataclasses import dataclass

from assay.doubt_limits import LITTLES_LAW


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
    limit = LITTLES_LAW + edge_allowance(mean_s + longest_s / connections, elapsed_s)
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
