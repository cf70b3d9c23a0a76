"""Places of treatments along the loads: side by side at each load, so that none hides another."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from assay.reporting.report.charts.chart import Spec
from assay.reporting.report.material import Material
from assay.reporting.report.treatment_labels import Labels

STEP = 7.0
"""Pixels between treatments at a load; less where loads are near each other."""
EDGE = 14.0
"""Pixels between the last load and the edge of the plot."""
SHARE = 0.6
"""How much of the way from load to load the treatments take at most."""


@dataclass(frozen=True)
class Places:
    """The axis of loads of one plot. `step` is the way from treatment to treatment in pixels."""

    axis: Spec
    step: float
    is_log: bool
    pixel: float  # of the axis, in loads or in doublings
    order: tuple[str, ...]  # treatments

    def at(self, treatment: str, load: float) -> float:
        """Returns where a treatment stands at a load."""
        beside = (self.order.index(treatment) - (len(self.order) - 1) / 2) * self.step * self.pixel
        return load * 2.0**beside if self.is_log else load + beside

    def rows(self, records: Iterable[Any], labels: Labels) -> list[Spec]:
        """Returns records as rows of a specification, each `at` its place."""
        return [
            {**row, "at": self.at(one.treatment, one.load)}
            for one, row in ((one, labels.rows([one])[0]) for one in records)
        ]


def load_places(material: Material, width: int) -> Places:
    """Returns the places in a plot of this width. Threads and depths double from rung to rung: their axis is
    logarithmic, and says so. Needs several loads.
    """
    loads, order = sorted(material.results.loads), tuple(material.results.treatments)
    is_log = material.closed_loop and loads[0] > 0
    steps = [math.log2(load) if is_log else load for load in loads]
    edge = EDGE + STEP * (len(order) - 1) / 2
    pixel = (steps[-1] - steps[0]) / (width - 2 * edge)
    nearest = min(after - before for before, after in pairwise(steps)) / pixel
    first, last = steps[0] - edge * pixel, steps[-1] + edge * pixel
    scale: Spec = {"type": "linear", "domain": [first, last], "nice": False, "zero": False}
    title = material.words(f"load.{material.results.load_kind}")
    if is_log:
        scale = {"type": "log", "base": 2, "domain": [2.0**first, 2.0**last], "nice": False}
        title = material.words("chart.logarithmic", axis=title)
    axis = {"title": title, "values": loads, "grid": False, "format": "~r" if loads[-1] < 1e5 else "~s"}
    channel: Spec = {"field": "at", "type": "quantitative", "scale": scale, "axis": axis}
    return Places(channel, min(STEP, SHARE * nearest / len(order)), is_log, pixel, order)
