"""Tells what is usual in the measured window, for each line of a time line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median

from assay.reporting.report.records.timeline import TimePoint

Line = tuple[str, str, str]
"""A panel, a series and a treatment."""


def line_of(point: TimePoint) -> Line:
    """Returns the line that a point is on."""
    return point.panel, point.series, point.treatment


def counted(points: Sequence[TimePoint]) -> list[TimePoint]:
    """Returns the points of the measured window; all where there are none."""
    return [point for point in points if not point.warmup] or list(points)


def medians_of(points: Sequence[TimePoint]) -> Mapping[Line, float]:
    """Returns the median of each line in the measured window."""
    lines: dict[Line, list[float]] = {}
    for point in counted(points):
        lines.setdefault(line_of(point), []).append(point.value)
    return {line: median(values) for line, values in lines.items()}
