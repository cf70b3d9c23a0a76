"""Doubts that the load generator was the limit, or did not serve every connection."""

from __future__ import annotations

from collections.abc import Iterator

from assay.doubt_limits import GENERATOR_BUSY, STARVED, STARVED_FROM
from assay.verdict.doubts.rung_seen import RungSeen
from assay.verdict.results import DoubtNote
from assay.wording import counted

#: Share of the machine beyond which it takes from the server what the server would use.
OF_THE_MACHINE = 0.5


def cpu_share(rung: RungSeen) -> Iterator[DoubtNote]:
    """Yields a doubt when the generator was near its ceiling of processor time."""
    if rung.elapsed_s <= 0:
        return
    used = (rung.number("engine_user_us") + rung.number("engine_system_us")) / 1e6 / rung.elapsed_s
    threads = rung.number("engine_threads")
    if threads and used > GENERATOR_BUSY * threads:
        yield rung.note(
            "generator-busy",
            "warning",
            f"the load generator used {used:.2f} processors for its {counted(int(threads), 'event loop')}:"
            " it may be the limit, not the server",
            value=used / threads,
        )
    elif rung.cores and used > OF_THE_MACHINE * rung.cores:
        yield rung.note(
            "generator-share",
            "warning",
            f"the load generator used {used:.2f} of the machine's {rung.cores} cores, which the server did"
            " not get",
            value=used / rung.cores,
        )


def starved_connections(rung: RungSeen) -> Iterator[DoubtNote]:
    """Yields a doubt when some connection did far fewer transactions than the mean."""
    least, mean = rung.number("connections_min"), rung.number("connections_mean")
    if mean >= STARVED_FROM and least < STARVED * mean:
        yield rung.note(
            "starved-connection",
            "warning",
            f"the slowest connection did {least:.0f} transactions, the mean is {mean:.0f}",
            value=least / mean,
        )
