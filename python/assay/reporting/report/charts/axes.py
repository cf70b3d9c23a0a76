"""Axes of charts: ticks at 1, 2 and 5 of a decade or in even steps, 1 on every axis of ratios, and figures
written as in the tables.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from assay.reporting.report.charts.chart import Spec

# k and M only from 100,000 on; never milli (`50m` reads as megabytes to half the readers).
FIGURES = "datum.value >= 1e5 ? format(datum.value, '~s') : format(datum.value, ',~r')"
MOST_TICKS = 6
FEWEST_TICKS = 4
FAR = 5.0
"""Ratios further apart than this have ticks of decades, nearer ones even steps."""


def figures(title: str | Sequence[str] | None, **more: object) -> Spec:
    """Returns an axis of measured figures."""
    return {"title": title, "labelExpr": FIGURES, **more}


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


def log_ticks(low: float, high: float) -> list[float]:
    """Returns ticks inside a log axis: 1, 2 and 5 of each decade, or even steps where these are few."""
    ticks = log_scale([low * 1.08, high / 1.08])[1] if high / low > 1.08**2 else []
    if len(ticks) >= FEWEST_TICKS:
        return ticks
    step = _step(high - low, MOST_TICKS)
    return [_tick(at, step) for at in range(math.ceil(low / step), math.floor(high / step) + 1)]


def level_scale(values: Sequence[float], most: int = MOST_TICKS) -> tuple[Spec, list[float]]:
    """Returns a linear scale from 0 to a tick at or above the highest value, and its ticks."""
    high = max(values, default=0.0)
    if high <= 0 or not math.isfinite(high):
        return {"domain": [0, 1], "nice": False}, [0, 1]
    step = _step(high, most)
    count = math.ceil(high / step - 1e-9)
    return {"domain": [0, _tick(count, step)], "nice": False}, [_tick(at, step) for at in range(count + 1)]


def difference_scale(values: Sequence[float], most: int = MOST_TICKS) -> tuple[Spec, list[float]]:
    """Returns a linear scale that holds these differences and 0, and its ticks, of which 0 is one."""
    finite = [value for value in values if math.isfinite(value)]
    low, high = min(0.0, *finite), max(0.0, *finite)
    if high <= low:
        return {"domain": [-1, 1], "nice": False}, [-1, 0, 1]
    step = _step(high - low, most)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    ticks = [_tick(at, step) for at in range(first, last + 1)]
    return {"domain": [ticks[0], ticks[-1]], "nice": False}, ticks


def ratio_scale(ends: Sequence[float], most: int = MOST_TICKS) -> tuple[Spec, list[float]]:
    """Returns a log scale that holds these ratios and 1, and its ticks, of which 1 is one.

    Logarithmic, so that twice and half reach equally far from 1.
    """
    positive = [end for end in ends if end > 0] or [1.0]
    low, high = min(1.0, *positive), max(1.0, *positive)
    room = max((high / low) ** 0.04, 1.001)
    low, high = low / room, high * room
    scale = {"type": "log", "domain": [low, high], "nice": False}
    if high / low <= FAR:
        return scale, _around_one(low, high, most)
    top, bottom = math.ceil(math.log10(high)), math.floor(math.log10(low))
    for steps, every in (((1, 2, 5), 1), ((1, 3), 1), ((1,), 1), ((1,), 2), ((1,), 3), ((1,), 6)):
        decades = [power for power in range(bottom, top + 1) if power % every == 0]
        ticks = [_tick(step, 10.0**power) for power in decades for step in steps]
        if len(shown := [tick for tick in ticks if low <= tick <= high]) <= most:
            break
    return scale, shown


def _around_one(low: float, high: float, most: int) -> list[float]:
    """Returns ticks in even steps from 1 to both sides."""
    size = high - low
    step = next(
        step
        for power in range(-9, 3)
        for step in (10.0**power, 2 * 10.0**power, 5 * 10.0**power)
        if math.floor((1 - low) / step) + math.floor((high - 1) / step) + 1 <= most and size / step <= most
    )
    first, last = -math.floor((1 - low) / step), math.floor((high - 1) / step)
    return [tick for at in range(first, last + 1) if (tick := round(1 + at * step, 10)) > 0]


def _step(high: float, most: int) -> float:
    power = 10.0 ** math.floor(math.log10(high / most))
    return next(step * power for step in (1, 2, 2.5, 5, 10) if high / (step * power) <= most)


def _tick(count: int, step: float) -> float:
    """Returns a tick without the dust of adding fractions."""
    return float(f"{count * step:.12g}")
