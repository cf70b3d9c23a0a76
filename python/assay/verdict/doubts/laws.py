"""Laws that honest counting obeys."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from assay.stats.little import edge_allowance, little_gap
from assay.verdict.doubts.rung_seen import RungSeen
from assay.verdict.results import DoubtNote

#: Share of the connections' time that may be unaccounted for.
LITTLE = 0.02
#: Share by which client and server may differ on the number of statements.
CONSERVATION = 0.005


def little(rung: RungSeen) -> Iterator[DoubtNote]:
    """Closed loop: connections = tps x mean transaction time. An open loop has idle connections by design."""
    mean_ms = rung.measures.get("mean_ms")
    # The time of failed transactions is in no histogram.
    if rung.columns["kind"] != "threads" or mean_ms is None or rung.number("failed"):
        return
    mean_s = mean_ms / 1e3
    gap = little_gap(rung.load, rung.measures["tps"], mean_s)
    limit = LITTLE + edge_allowance(mean_s, rung.elapsed_s)
    if abs(gap) > limit:
        accounted = rung.measures["tps"] * mean_s
        yield rung.note(
            "littles-law",
            "warning",
            f"throughput x mean time accounts for {accounted:.2f} of {rung.load:g} connections ({-gap:+.1%}):"
            f" {'time is lost outside transactions' if gap > 0 else 'something is counted twice'}",
        )


def conservation(rung: RungSeen) -> Iterator[DoubtNote]:
    """The server counted as many statements as the client sent, but for the samplers' own."""
    seen = rung.measures.get("Questions_per_query")
    if seen is None or rung.qps.size < 2 or not rung.qps.sum():
        return
    # A failed statement is a question to the server and no query to the client.
    failed = sum(rung.errors.values()) / max(rung.number("queries"), 1.0)
    gap = seen - 1 - failed
    # Where in its second a reading fell is known only as far as throughput within a second is level.
    blur = 3 * float(np.std(rung.qps) / rung.qps.sum())
    if abs(gap) > CONSERVATION + blur:
        yield rung.note(
            "conservation",
            "warning",
            f"the server counted {gap:+.2%} statements against the client's own count:"
            f" {'somebody else used the server' if gap > 0 else 'statements were counted that never ran'}",
        )
