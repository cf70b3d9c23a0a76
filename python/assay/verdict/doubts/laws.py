"""Doubts from Little's law. That server and client count alike is checked while measuring (`run`)."""

from __future__ import annotations

from collections.abc import Iterator

from assay.stats import littles_law
from assay.verdict.doubts.rung_seen import RungSeen
from assay.verdict.results import DoubtNote


def little(rung: RungSeen) -> Iterator[DoubtNote]:
    """Yields a doubt when a closed loop breaks Little's law: connections = tps × mean time of a transaction
    and its pause.

    An open loop has idle connections by design.
    """
    mean_ms = rung.measures.get("mean_ms")
    if rung.columns["terminals"] is not None:
        return  # their times begin with the wait for a connection, and nothing says how long they think
    # The time of failed transactions is in no histogram, and that of those that never ended is not known.
    unknown = rung.number("failed") or rung.number("abandoned")
    if rung.columns["kind"] != "threads" or mean_ms is None or unknown:
        return
    # Of an experiment the sessions may be another number than the rung's.
    connections = rung.number("connections") or rung.load
    law = littles_law(
        connections,
        rung.measures["tps"],
        mean_ms / 1e3,
        think_s=rung.measures.get("mean_think_ms", 0.0) / 1e3,
        longest_s=rung.measures["max_ms"] / 1e3,
        elapsed_s=rung.elapsed_s,
    )
    if law.is_broken:
        reason = "time is lost outside transactions" if law.gap > 0 else "something is counted twice"
        yield rung.note(
            "littles-law",
            "warning",
            f"throughput x mean time accounts for {law.accounted:.2f} of {connections:g} connections"
            f" ({-law.gap:+.1%}): {reason}",
            value=abs(law.gap),
        )
