"""Doubts that the measured window was not complete, not steady, or not fully sampled."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from assay.results.stats import Stall, stall, stalled_seconds, steadiness
from assay.results.verdict.doubts.rung_seen import RungSeen
from assay.results.verdict.results import DoubtNote

#: Share of the samplers' readings, one a second, that may be missing.
MISSING = 0.1

#: Turns of a cycle below which it matters where in one the window begins.
FEW_TURNS = 5


def incomplete(rung: RungSeen) -> Iterator[DoubtNote]:
    """Yields doubts when the window ended early, or transactions had not ended by its end."""
    if not rung.columns["complete"]:
        yield rung.note(
            "incomplete-window",
            "invalid",
            f"the measured window ended early, after {rung.elapsed_s:.1f} s",
            seconds=rung.elapsed_s,
        )
    if abandoned := rung.number("abandoned"):
        yield rung.note(
            "abandoned",
            "warning",
            f"{abandoned:.0f} transactions had not ended by the end of the drain: percentiles and means that"
            " they could change are lower bounds",
            value=abandoned,
        )


def stalled(rung: RungSeen) -> Iterator[DoubtNote]:
    """Yields a doubt when throughput broke down for some seconds, which a mean over the window hides."""
    still = stalled_seconds(rung.tps)
    if still.any():
        found = stall(rung.tps) or _single(rung, int(np.where(still, rung.tps, np.inf).argmin()))
        yield rung.note(
            "stalled",
            "warning",
            f"throughput broke down to {found.rate:.0%} of its median for {found.seconds} s, from second"
            f" {found.second} of the window; in all {still.sum()} of {still.size} seconds have part in"
            " a stall",
            second=found.second,
            seconds=found.seconds,
            rate=found.rate,
            all=int(still.sum()),
            of=still.size,
            part=float(still.mean()),
        )


def _single(rung: RungSeen, second: int) -> Stall:
    """Returns a stall of one second, where none lasts longer."""
    return Stall(second, 1, float(rung.tps[second] / np.median(rung.tps)))


def unsteady(rung: RungSeen) -> Iterator[DoubtNote]:
    """Yields a doubt when throughput had not reached a level: the warm-up was too short, or the server never
    settles.
    """
    found = steadiness(rung.tps)
    if found.label == "drifting":
        yield rung.note(
            "unsteady",
            "warning",
            f"throughput changed by {found.from_start:+.1%} over the measured window: a longer warm-up may"
            " help",
            change=found.from_start,
        )
    elif found.label == "not reached":
        yield rung.note(
            "not-reached",
            "warning",
            f"throughput was still approaching its level: it changed by {found.from_start:+.1%} over the"
            " measured window; a longer warm-up may help",
            change=found.from_start,
        )
    elif found.label == "cycling":
        turns = rung.tps.size / found.period
        yield rung.note(
            "cycling",
            "warning" if turns < FEW_TURNS else "note",
            f"throughput goes up and down by {found.swing:.0%} every {found.period:.0f} s: the window holds"
            f" {turns:.1f} turns",
            swing=found.swing,
            period=found.period,
            turns=turns,
        )


def missing_samples(rung: RungSeen) -> Iterator[DoubtNote]:
    """Yields a doubt when a sampler missed readings, on which curves and costs rest."""
    expected = int(rung.elapsed_s)
    lacking = [
        f"{source} {count} of {expected}"
        for source, count in sorted(rung.readings.items())
        if count < expected * (1 - MISSING) - 1
    ]
    if lacking:
        yield rung.note("samples-missing", "note", f"readings that were taken: {', '.join(lacking)}")
    elif not rung.readings and rung.subject == "server":
        yield rung.note(
            "samples-missing", "note", "nothing was sampled beside the load: there are no server costs"
        )
