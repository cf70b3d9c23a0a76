"""Tells which time a value of a time line is about, so that what was in one second stands at one place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from assay.reporting.report.records.signals import PANELS
from assay.reporting.report.records.timeline import TimePoint

LEVELS = {"pages", "MiB", "GiB", "threads", "MHz", "us"}
"""Units of signals that are read at an instant; others count over the second that ends with the reading."""
_SIGNALS = {panel.key for panel in PANELS}
_OF_THE_LOAD = {"tps", "iops", "moved", "p95"}


@dataclass(frozen=True)
class Lasting:
    """A value at `t_s` is about the time from `before` seconds before it to `after` seconds after it."""

    before: float = 0.0
    after: float = 0.0

    @property
    def to_middle(self) -> float:
        """The seconds from `t_s` to the middle of that time."""
        return (self.after - self.before) / 2


def lasting(points: Sequence[TimePoint]) -> Mapping[tuple[str, str], Lasting]:
    """Returns the time that the values of each panel and treatment are about.

    Those of the load stand at the begin of their interval, what is sampled at the end of its second.
    """
    times: dict[tuple[str, str], set[float]] = {}
    for point in points:
        times.setdefault((point.panel, point.treatment), set()).add(point.t_s)
    units = {point.panel: point.unit for point in points}
    found = {}
    for (panel, treatment), at in times.items():
        step = _usual_step(sorted(at))
        if panel in _OF_THE_LOAD:
            found[panel, treatment] = Lasting(after=step)
        elif panel in _SIGNALS and units[panel] not in LEVELS:
            found[panel, treatment] = Lasting(before=step)
        else:
            found[panel, treatment] = Lasting()
    return found


def _usual_step(times: Sequence[float]) -> float:
    """Returns the usual time from one value to the next; a second where there is one value."""
    steps = [after - before for before, after in pairwise(times)]
    return median(steps) if steps else 1.0
