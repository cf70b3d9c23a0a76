"""Axes of charts: a ladder's rungs on a log2 axis, 1-2-5 ticks on log axes, figures written as in the
tables.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from assay.reporting.report.charts.chart import Spec
from assay.reporting.report.material import Material

# k and M only from 100,000 on; never milli (`50m` reads as megabytes to half the readers).
FIGURES = "datum.value >= 1e5 ? format(datum.value, '~s') : format(datum.value, ',~r')"


def figures(title: str | Sequence[str] | None, **more: object) -> Spec:
    """Returns an axis of measured figures."""
    return {"title": title, "labelExpr": FIGURES, **more}


def load_axis(material: Material) -> Spec:
    """Returns the x channel of charts against the load."""
    loads = sorted(material.results.loads)
    title = material.words(f"load.{material.results.load_kind}")
    if not material.closed_loop:
        scale: Spec = {"type": "linear", "zero": False, "nice": False, "padding": 14}
    else:
        scale = {"type": "log", "base": 2, "domain": [loads[0] / 1.12, loads[-1] * 1.12], "nice": False}
    axis = {"title": title, "values": loads, "grid": False, "format": "~r" if loads[-1] < 1e5 else "~s"}
    return {"field": "load", "type": "quantitative", "scale": scale, "axis": axis}


def log_scale(values: Sequence[float]) -> tuple[Spec, list[float]]:
    """Returns a log scale that just holds the positive values, and its ticks.

    The ticks are 1, 2 and 5 of each decade, or only 1 when there would be too many.
    """
    positive = [value for value in values if value > 0]
    low, high = min(positive) / 1.08, max(positive) * 1.08
    steps = (1, 2, 5) if high / low < 1e4 else (1,)
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    ticks = [step * 10.0**decade for decade in decades for step in steps]
    return {"type": "log", "domain": [low, high], "nice": False}, [t for t in ticks if low <= t <= high]
