"""Computes measures of a device failure: operations before it, degraded, while the volume was rebuilt, and
after.

A second (an interval of the engine's) belongs to the phase in which its middle lies.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from assay.design.folder import Interval
from assay.design.study.device_failure import FAILED, MEASURES, PHASES, REBUILT, REPLACED
from assay.results.store.rung import Rung

_MIB = 1 << 20


def failure_measures(rung: Rung) -> Iterator[tuple[str, str, float]]:
    """Yields (name, unit, value) of each phase; nothing for a rung without a failure, nor for a phase that
    did not occur.
    """
    moments = {one.name: one.at_wall_ns for found in rung.found for one in found.moments}
    if FAILED not in moments:
        return
    borders = [moments[name] for name in (FAILED, REPLACED, REBUILT) if name in moments]
    measured = [one for one in rung.intervals if one.phase == "measure" and one.end_ns > one.start_ns]
    by_phase: list[list[Interval]] = [[] for _ in PHASES]
    for interval in measured:
        middle = rung.epoch_ns + (interval.start_ns + interval.end_ns) / 2
        by_phase[sum(border <= middle for border in borders)].append(interval)
    for phase, intervals in zip(PHASES, by_phase, strict=True):
        if intervals:
            yield _found(f"{phase}_per_s", sum(one.transactions for one in intervals) / _seconds(intervals))
            moved = [one.io_bytes for one in intervals if one.io_bytes is not None]
            if moved:
                mib = sum(one.read + one.written for one in moved) / _MIB
                yield _found(f"{phase}_mib_per_s", mib / _seconds(intervals))
    before, after = by_phase[0], [one for intervals in by_phase[1:] for one in intervals]
    if after:
        idle = [list(run) for still, run in groupby(after, lambda one: one.transactions == 0) if still]
        yield _found("stall_s", max(map(_seconds, idle), default=0.0))
    whole = [one for one in after if _length(one) >= max(map(_length, measured)) / 2]
    healthy = sum(one.transactions for one in before) / _seconds(before) if before else 0.0
    if healthy and whole:
        lowest = min(one.transactions / _seconds([one]) for one in whole)
        yield _found("dip_pct", max(100 * (1 - lowest / healthy), 0.0))
    if REBUILT in moments:
        yield _found("rebuild_s", (moments[REBUILT] - moments[REPLACED]) / 1e9)


def _length(interval: Interval) -> int:
    return interval.end_ns - interval.start_ns


def _seconds(intervals: Sequence[Interval]) -> float:
    return sum(map(_length, intervals)) / 1e9


def _found(name: str, value: float) -> tuple[str, str, float]:
    return name, MEASURES[name], value
