"""Little's law: connections in a closed loop = throughput × mean time of a transaction (Little 1961)."""

from __future__ import annotations


def little_gap(connections: float, per_second: float, mean_s: float) -> float:
    """Returns the share of the connections' time that the transactions do not account for.

    Near zero when every connection always has a transaction in flight. Positive: time is lost between
    transactions (the generator is the limit). Negative: something is counted twice.
    """
    if connections <= 0:
        raise ValueError("Little's law needs connections")
    return 1 - per_second * mean_s / connections


def edge_allowance(mean_s: float, elapsed_s: float) -> float:
    """Returns the gap that the window's ends alone can cause: each connection has one transaction that starts
    before it.
    """
    return mean_s / elapsed_s if elapsed_s > 0 else 1.0
