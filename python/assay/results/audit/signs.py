"""Finds second signs: evidence for or against a figure that is independent of the rule that flagged it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

from assay.base.numbers import plain
from assay.results.audit.figure import one_slip_away
from assay.results.audit.model import Cell, Curve, Material

_LEAST_ODD = 0.02
"""Share by which a figure must differ from what its neighbours predict to be odd."""
_AROUND = 32
"""Rungs on each side of a figure that say what is usual there. A ladder has fewer; a series of thousands of
samples is compared near the figure only."""
_MOST_SERIES = 40


@dataclass(frozen=True)
class Company:
    """The log-ratio of a figure to the value that other series of the same metric predict."""

    off: float
    usual: float  # the same of the other rungs, in the median
    series: int


def log_ratio(one: float, other: float) -> float:
    """Returns the logarithm of a ratio of two positive figures, however far apart they are."""
    return math.log(one) - math.log(other)


def company(material: Material, cell: Cell, value: float | None = None) -> Company | None:
    """Compares a figure (or `value` in its place) with the other series of its metric and ladder.

    The log-ratio to each other series is compared with the same ratio at the rungs around. None where no
    other series has three rungs in common with it.
    """
    here = cell.value if value is None else value
    if cell.rung is None or here <= 0:
        return None
    rung, own = cell.rung, material.series[cell.series]
    offs: list[float] = []
    usual: list[float] = []
    for other in siblings(material, cell):
        if rung not in other or other[rung].value <= 0:
            continue
        ratios = {
            one: log_ratio(own[one].value, other[one].value)
            for one in own.around(rung, _AROUND)
            if one in other and own[one].value > 0 and other[one].value > 0
        }
        if len(ratios) < 3:
            continue
        rest = sorted(ratios, key=lambda one: _far(one, rung))
        middle = median(ratios[one] for one in rest[:4])
        offs.append(log_ratio(here, other[rung].value) - middle)
        usual.append(median(abs(ratio - middle) for ratio in ratios.values()))
    return Company(median(offs), median(usual), len(offs)) if offs else None


def siblings(material: Material, cell: Cell) -> list[Curve]:
    """Returns other series of the same metric and kind of row: of the same table, otherwise of the whole
    study.
    """
    same = others_of(material, cell)
    near = [curve for curve in same if curve.first.table == cell.table]
    return near if len(near) >= 1 and _comparable_levels(cell, near) else same


def others_of(material: Material, cell: Cell) -> list[Curve]:
    """Returns other series of the same metric in the study; the first ones, if there are very many."""
    own = material.series[cell.series]
    family = material.families[cell.study, cell.metric, cell.axis][: _MOST_SERIES + 1]
    return [curve for curve in family if curve is not own]


def _comparable_levels(cell: Cell, curves: Iterable[Curve]) -> bool:
    """Returns whether the series of its own table are on the same scale: within a factor of five of it."""
    values = [curve[cell.rung].value for curve in curves if cell.rung is not None and cell.rung in curve]
    return any(value > 0 and 0.2 < cell.value / value < 5 for value in values)


def _far(one: float, other: float) -> float:
    return abs(log_ratio(max(one, 0.5), max(other, 0.5)))


def second_sign(material: Material, cell: Cell, expected: float, low: float, high: float) -> str:
    """Returns why `expected` is likelier than the print, by evidence other than the rule's; otherwise empty.

    `low` and `high` bound what the rule leaves open by rounding alone.
    """
    if one_slip_away(cell.figure, low, high):
        return f"one wrong digit makes {cell.figure.text} of {_short(expected)}"
    printed, proposed = company(material, cell), company(material, cell, expected)
    if printed and proposed:
        limit = max(_LEAST_ODD, 4 * printed.usual, 2 * abs(proposed.off))
        if abs(printed.off) > limit:
            return (
                f"{_percent(printed.off)} against {_series(printed.series)} of this metric,"
                f" {_percent(proposed.off)} with {_short(expected)}"
            )
    if cell.rung is not None and expected > 0 and cell.value > 0:
        line = material.series[cell.series].line(cell.rung)
        if line and line > 0:
            is_off, would_be = log_ratio(cell.value, line), log_ratio(expected, line)
            if abs(is_off) > max(0.15, 2 * abs(would_be)):
                return (
                    f"{_percent(is_off)} off the line between its neighbours,"
                    f" {_percent(would_be)} with {_short(expected)}"
                )
    return ""


def _series(number: int) -> str:
    return "the other series" if number == 1 else f"{number} other series"


def _percent(off: float) -> str:
    return f"{100 * math.expm1(min(off, 50.0)):+.1f} %"


def _short(value: float) -> str:
    return plain(value, 6)
