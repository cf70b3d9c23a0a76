"""Tells panels of a time line with something to see from flat ones, and from those of few values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from assay.reporting.report.records.signals import PANELS
from assay.reporting.report.records.timeline import TimePoint

FEWEST = 3
"""Fewer values of every series make no line."""
STEADY = 0.02
"""Values that differ by no more than this share of the highest are flat."""
LEAST = {
    "MiB": 1.0,
    "MiB/s": 1.0,
    "GiB": 0.1,
    "pages": 10.0,
    "1/s": 1.0,
    "%": 1.0,
    "cores": 0.02,
    "ms": 0.01,
    "threads": 1.0,
    "requests": 0.05,
}
"""By unit, what a signal must reach to matter: a checkpoint age of 16 bytes is none."""
_SIGNALS = {panel.key for panel in PANELS}


@dataclass(frozen=True)
class Telling:
    """The points of panels that show something, and the names of the panels that were left out."""

    points: tuple[TimePoint, ...]
    flat: tuple[str, ...]
    few: tuple[str, ...]


def telling(points: Sequence[TimePoint]) -> Telling:
    """Returns the points without the panels of signals that show nothing. What the load itself measured, and
    what an experiment traced, always stays.
    """
    kept: list[TimePoint] = []
    flat, few = [], []
    for panel in dict.fromkeys(point.panel for point in points):
        here = [point for point in points if point.panel == panel]
        if panel in _SIGNALS and _is_flat(here):
            flat.append(panel)
        elif panel in _SIGNALS and _most_values(here) < FEWEST:
            few.append(panel)
        else:
            kept += here
    return Telling(tuple(kept), tuple(flat), tuple(few))


def _is_flat(points: Sequence[TimePoint]) -> bool:
    """Returns whether all values are too small to matter, or each series is the same in all treatments at all
    times.
    """
    highest = max(abs(point.value) for point in points)
    if highest < LEAST.get(points[0].unit, 0.0) or highest == 0:
        return True
    lines: dict[str, list[float]] = {}
    for point in points:
        lines.setdefault(point.series, []).append(point.value)
    return all(max(line) - min(line) <= STEADY * highest for line in lines.values())


def _most_values(points: Sequence[TimePoint]) -> int:
    return max(Counter((point.treatment, point.series) for point in points).values())
