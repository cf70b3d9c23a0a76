"""Records of how times are spread on a logarithmic axis: one trail for each treatment and load point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from assay.reporting.report.material import Material
from assay.reporting.report.records.distribution import chosen_loads, merged
from assay.results.stats import humps

MOST_ROWS = 12
BINS_A_DECADE = 40
SPARSE = 0.01
"""A bin with less than this share of the densest would be too flat to see: it is drawn as a tick."""


@dataclass(frozen=True)
class TrailBin:
    """The operations of one treatment at one load point that took between `low_ms` and `high_ms`.

    Bins are equally wide on a logarithmic axis. `density` is relative to the densest bin of the trail;
    `sparse` bins have operations, but too few for a visible height.
    """

    treatment: str
    load: float
    kind: str  # service in a closed loop, response in an open one
    low_ms: float
    high_ms: float
    operations: int
    density: float
    sparse: bool
    blocks: int


@dataclass(frozen=True)
class Trail:
    """The operations of a trail, and where its times pile up: one place in ms for each hump."""

    treatment: str
    load: float
    operations: int
    fastest_ms: float
    slowest_ms: float
    humps_ms: tuple[float, ...]


def trail_loads(loads: Sequence[float], treatments: int) -> tuple[float, ...]:
    """Returns the load points that are drawn: all, or some, or the highest, so that rows stay few."""
    for some in (tuple(sorted(loads)), chosen_loads(loads)):
        if len(some) * treatments <= MOST_ROWS:
            return some
    return (max(loads),)


def ridge(material: Material) -> list[TrailBin]:
    """Returns the bins of every trail from its fastest operation to its slowest, loads in ascending order."""
    return material.once(_ridge)


def _ridge(material: Material) -> list[TrailBin]:
    kind = "service" if material.closed_loop else "response"
    treatments = material.results.treatments
    if not material.results.loads:
        return []
    return [
        found
        for load in trail_loads(material.results.loads, len(treatments))
        for treatment in treatments
        for found in _bins(material, treatment, load, kind)
    ]


def trails(bins: Sequence[TrailBin]) -> list[Trail]:
    """Returns each trail of these bins, in their order."""
    rows: dict[tuple[float, str], list[TrailBin]] = {}
    for one in bins:
        rows.setdefault((one.load, one.treatment), []).append(one)
    return [
        Trail(
            treatment,
            load,
            sum(one.operations for one in row),
            row[0].low_ms,
            row[-1].high_ms,
            tuple(_middle(row[at]) for at in humps([one.operations for one in row])),
        )
        for (load, treatment), row in rows.items()
    ]


def _bins(material: Material, treatment: str, load: float, kind: str) -> list[TrailBin]:
    found = merged(material, treatment, load, kind)
    if found is None:
        return []
    histogram, blocks = found
    times = histogram.layout.lowest(histogram.index)
    times = times[times > 0]  # a deferred transaction takes no time, which has no place on a logarithmic axis
    if not times.size:
        return []
    ends = np.log10([times[0], histogram.max]) * BINS_A_DECADE
    edges_ns = 10 ** (np.arange(np.floor(ends[0]), np.floor(ends[1]) + 2) / BINS_A_DECADE)
    counts = histogram.counts_between(edges_ns.tolist())[1:-1]
    most = max(counts)
    return [
        TrailBin(
            treatment, load, kind, low / 1e6, high / 1e6, count, count / most, 0 < count < SPARSE * most,
            blocks,
        )
        for (low, high), count in zip(pairwise(edges_ns.tolist()), counts, strict=True)
    ]  # fmt: skip


def _middle(one: TrailBin) -> float:
    return float(np.sqrt(one.low_ms * one.high_ms))
