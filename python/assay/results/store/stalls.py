"""Computes what stands beside the percentiles of a load that stood still at times."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import numpy as np

from assay.base.tally import SHARES, Gap, corrected_percentiles, fewest_operations
from assay.design.folder import RunResult, response_times
from assay.design.study import CORRECTED, STALLED
from assay.results.store.rung import Rung

_HALF = 0.5
"""Share of the median rate below which a second is one of a stall."""
_SHORTEST_S = 0.5
"""Intervals up to this length, at the end of a window, are too short to have a rate."""
_CORRECTED = ("p95", "p99", "p99_9")


def stall_measures(rung: Rung, result: RunResult) -> Iterator[tuple[str, str, float, bool, bool]]:
    """Yields the share of time in which throughput was below half of its median, and of a closed loop the
    percentiles with the operations that it would have sent meanwhile.
    """
    measured = [one for one in rung.intervals if one.phase == "measure"]
    seconds = np.array([(one.end_ns - one.start_ns) / 1e9 for one in measured])
    counts = np.array([float(one.transactions) for one in measured])
    counts, seconds = counts[seconds > _SHORTEST_S], seconds[seconds > _SHORTEST_S]
    median = float(np.median(counts / seconds)) if seconds.size else 0.0
    if median <= 0:
        return
    stalled = counts / seconds < _HALF * median
    yield STALLED, "%", 100 * float(seconds[stalled].sum() / seconds.sum()), False, False
    times = response_times(result)
    if result.latency != "service" or times is None or not result.connections.count:
        return
    gaps = []
    for is_stalled, group in groupby(range(seconds.size), key=lambda at: bool(stalled[at])):
        if is_stalled:
            stretch = list(group)
            lacking = float((median * seconds[stretch] - counts[stretch]).sum())
            gaps.append(Gap(lacking, 1e9 * float(seconds[stretch].sum())))
    every_ns = 1e9 * result.connections.count / median
    found = corrected_percentiles(times.times, [SHARES[name] for name in _CORRECTED], every_ns, gaps)
    for name, ns in zip(_CORRECTED, found, strict=True):
        few = times.total < fewest_operations(f"{name}_ms")
        yield f"{CORRECTED}{name}_ms", "ms", ns / 1e6, times.unended > 0, few
