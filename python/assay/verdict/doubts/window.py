"""Was the measured window whole, level, and watched?"""

from __future__ import annotations

from collections.abc import Iterator

from assay.stats import steadiness
from assay.verdict.doubts.rung_seen import RungSeen
from assay.verdict.results import DoubtNote

#: Share of the samplers' readings, one a second, that may be missing.
MISSING = 0.1


def incomplete(rung: RungSeen) -> Iterator[DoubtNote]:
    """The window was cut short."""
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
            f"{abandoned:.0f} transactions had not ended by the end of the drain",
            value=abandoned,
        )


def unsteady(rung: RungSeen) -> Iterator[DoubtNote]:
    """Throughput was still going somewhere: the warm-up was too short, or the server never settles."""
    found = steadiness(rung.tps)
    if found.label == "drifting":
        yield rung.note(
            "unsteady",
            "warning",
            f"throughput changed by {found.change:+.1%} over the measured window"
            f" (95 % interval {found.low:+.1%} to {found.high:+.1%}): a longer warm-up may help",
            change=found.change,
            low=found.low,
            high=found.high,
        )


def missing_samples(rung: RungSeen) -> Iterator[DoubtNote]:
    """A sampler missed readings: its curves have gaps and its costs rest on less."""
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
