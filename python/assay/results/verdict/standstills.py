"""Finds closed loops that stood still: while nothing ends they send nothing, and measure no waiting time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from assay.design.study import Study
from assay.results.stats import stalled_seconds
from assay.results.verdict.doubts.rung_seen import RungSeen
from assay.results.verdict.observations import Cell


def standstills(study: Study, rungs: Sequence[RungSeen]) -> Mapping[Cell, float]:
    """Returns the share of stalled seconds in all windows of each cell that has any.

    An open loop measures the wait of every operation that was due, and in an experiment a stall is what is
    looked at: both have none.
    """
    if study.load.kind == "rate" or study.experiment or study.fails_device:
        return {}
    stalled: dict[Cell, int] = defaultdict(int)
    seconds: dict[Cell, int] = defaultdict(int)
    for rung in rungs:
        cell = (str(rung.columns["treatment"]), rung.load)
        stalled[cell] += int(stalled_seconds(rung.tps).sum())
        seconds[cell] += rung.tps.size
    return {cell: count / seconds[cell] for cell, count in stalled.items() if count}
