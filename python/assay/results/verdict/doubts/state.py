"""Doubts that the server's own state was still changing, which throughput alone need not show."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from assay.results.stats import fills, grows
from assay.results.verdict.doubts.rung_seen import CHECKPOINT_AGE, DIRTY, HELD, HISTORY, READ, ROOM, RungSeen
from assay.results.verdict.results import DoubtNote

#: Levels that rise until the server does as much as it puts off; each flavour's name, and the least rise
#: that counts.
GATHERED: dict[str, float] = {
    CHECKPOINT_AGE[0]: 64 * 2**20,  # bytes
    CHECKPOINT_AGE[1]: 64 * 2**20,
    HISTORY[0]: 10_000,  # transactions to purge
    HISTORY[1]: 10_000,
}
DIRTY_LEAST = 0.05  # of the pool's pages

#: Pages read for a transaction below which it does not matter to throughput that fewer will be read.
READ_LEAST = 0.1

NOTHING = np.array([])


def filling(rung: RungSeen) -> Iterator[DoubtNote]:
    """Yields a doubt when the buffer pool was still filling, so that later windows would read less from the
    disk.
    """
    held, room, read = (rung.state.get(name, NOTHING) for name in (HELD, ROOM, READ))
    if not read.size or not rung.tps.size or read.mean() < READ_LEAST * rung.tps.mean():
        return
    if held.size and room.size and fills(held, float(room[-1]), read):
        before, after = (float(held[at] / room[-1]) for at in (0, -1))
        yield rung.note(
            "pool-filling",
            "warning",
            f"the steady state was not reached: the buffer pool still filled, from {before:.0%} to"
            f" {after:.0%} of its pages ({HELD}), and ever fewer pages were read; a longer warm-up may help",
            before=before,
            after=after,
        )


def gathering(rung: RungSeen) -> Iterator[DoubtNote]:
    """Yields a doubt when the server postponed more work than it did, so that throughput will fall later."""
    room = rung.state.get(ROOM, NOTHING)
    least = {**GATHERED, DIRTY: DIRTY_LEAST * float(room[-1]) if room.size else np.inf}
    rising = [
        f"{name} {rung.state[name][0]:,.0f} → {rung.state[name][-1]:,.0f}"
        for name, of_it in least.items()
        if name in rung.state and grows(rung.state[name], of_it)
    ]
    if rising:
        what = ", ".join(rising)
        yield rung.note(
            "state-growing", "warning", f"the server's state grew through the window: {what}", what=what
        )
