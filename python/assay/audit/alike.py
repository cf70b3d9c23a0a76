"""Finds series that print the same figures, and judges whether chance explains it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from assay.audit.model import Cell, Material
from assay.audit.signs import Curve

_ENOUGH_DIGITS = 9


@dataclass(frozen=True)
class Alike:
    """Two series with the same figures at most of their rungs."""

    one: Curve
    other: Curve
    same: tuple[float, ...]
    different: tuple[float, ...]

    @property
    def first(self) -> Cell:
        return next(iter(self.one.values()))

    @property
    def second(self) -> Cell:
        return next(iter(self.other.values()))


def alike(material: Material) -> Iterator[Alike]:
    """Yields pairs of series of one metric and study that agree at three rungs or more, and at three in four
    of those in common.

    The figures that agree must have enough digits between them that chance does not explain it.
    """
    curves = [curve for curve in material.series.values() if len(curve) >= 3]
    for place, one in enumerate(curves):
        first = next(iter(one.values()))
        for other in curves[place + 1 :]:
            second = next(iter(other.values()))
            if (first.study, first.metric, first.axis) != (second.study, second.metric, second.axis):
                continue
            common = sorted(one.keys() & other.keys())
            same = tuple(rung for rung in common if agree(one[rung], other[rung]))
            digits = sum(max(min(one[r].figure.digits, other[r].figure.digits) - 2, 0) for r in same)
            if len(same) >= 3 and 4 * len(same) >= 3 * len(common) and digits >= _ENOUGH_DIGITS:
                yield Alike(one, other, same, tuple(rung for rung in common if rung not in same))


def agree(one: Cell, other: Cell) -> bool:
    """Returns whether two prints are one number, rounded differently at most."""
    step = max(one.figure.step, other.figure.step)
    return one.value != 0 and abs(one.value - other.value) <= step * 0.501


def name_of(cell: Cell) -> str:
    """Returns the name of a series for a reader."""
    levels = ", ".join(f"{name}={value}" for name, value in cell.levels if name != "workload" and value)
    return f"{cell.table}{f' [{levels}]' if levels else ''}"
