"""Says what a chart of a page shows in one sentence, made from its records, as the report's charts have one.

A sentence says which value is high or low, and gives no verdict.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from statistics import median
from typing import NamedTuple

from assay.base.numbers import number, ratio_with_interval, with_interval
from assay.reporting.report import Chart, Words


class NamedInterval(NamedTuple):
    """A value with its interval, and the name of what has it; without an interval the ends are None."""

    name: str
    value: float
    low: float | None
    high: float | None


def told(chart: Chart, says: str) -> Chart:
    """Returns the chart with its sentence."""
    return replace(chart, says=says)


def ratios_sentence(ratios: Sequence[NamedInterval], words: Words) -> str:
    """Returns which of the ratios is farthest from 1."""
    farthest = max(ratios, key=lambda one: abs(math.log(one.value)))
    figures = ratio_with_interval(farthest.value, farthest.low, farthest.high)
    if figures.startswith("1/"):
        times = figures.partition(" ")[0].removeprefix("1/")
        return words("web.compare.says-less", count=len(ratios), name=farthest.name, times=times)
    return words("web.compare.says", count=len(ratios), name=farthest.name, ratio=figures)


def seconds_sentence(rates: Sequence[tuple[float, float]], words: Words) -> str:
    """Returns the lowest and the highest second of a load point, of pairs of time and rate; it has some."""
    (low_at, low), (high_at, high) = (pick(rates, key=lambda one: one[1]) for pick in (min, max))
    return words(
        "web.rung.says",
        low=number(low),
        low_at=number(low_at, 0),
        high=number(high),
        high_at=number(high_at, 0),
        median=number(median(rate for _, rate in rates)),
    )


def history_sentence(builds: Sequence[NamedInterval], unit: str, changes: int, words: Words) -> str:
    """Returns the values of the first and of the last build, and how many changes were found."""
    first, last = (
        f"{with_interval(one.value, one.low, one.high)} {unit}".rstrip() for one in (builds[0], builds[-1])
    )
    return words(
        "web.history.says",
        builds=len(builds),
        first=builds[0].name,
        before=first,
        last=builds[-1].name,
        after=last,
        changes=changes,
    )
