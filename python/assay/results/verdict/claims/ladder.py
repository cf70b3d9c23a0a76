"""Sums up a comparison over the whole ladder, beside its parts at each load point."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from assay.results.stats import mean_interval
from assay.results.verdict.answers import Figure, WholeLadder
from assay.results.verdict.claims.finding import Finding


def whole_ladders(found: Sequence[Finding], confidence: float) -> Iterator[WholeLadder]:
    """Yields a summary for each two things that were compared at several load points.

    Blocks that lack one of the load points are left out.
    """
    rungs: dict[str, dict[float, dict[int, float]]] = defaultdict(dict)
    for one in found:
        loads = {place.load for place in one.where}
        if one.ratios is not None and len(loads) == 1 and (load := loads.pop()) is not None:
            name, ratios = one.ratios
            rungs[name][load] = dict(ratios)
    for name, by_load in rungs.items():
        common = sorted(set.intersection(*(set(ratios) for ratios in by_load.values())))
        if len(by_load) > 1 and common:
            logs = np.array([[np.log(ratios[block]) for ratios in by_load.values()] for block in common])
            mean = mean_interval(logs.mean(axis=1), confidence)
            low, high = (None if end is None else float(np.exp(end)) for end in (mean.low, mean.high))
            yield WholeLadder(
                name, len(by_load), Figure("ratio", float(np.exp(mean.value)), low, high), mean.n
            )
