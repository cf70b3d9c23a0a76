"""Finds series that print the same figures, and judges whether chance explains it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assay.results.audit.model import Cell, Curve, Material

_ENOUGH_DIGITS = 9
_LEAST = 3


@dataclass(frozen=True)
class Alike:
    """Two series with the same figures at most of their rungs."""

    one: Curve
    other: Curve
    same: tuple[float, ...]
    different: tuple[float, ...]

    @property
    def first(self) -> Cell:
        return self.one.first

    @property
    def second(self) -> Cell:
        return self.other.first


def alike(material: Material) -> Iterator[Alike]:
    """Yields pairs of series of one metric and study that agree at three rungs or more, and at three in four
    of those in common.

    The figures that agree must have enough digits between them that chance does not explain it.
    """
    places = {id(curve): place for place, curve in enumerate(material.series.values())}
    pairs = [pair for family in material.families.values() for pair in _that_agree(family)]
    for one, other in sorted(pairs, key=lambda pair: (places[id(pair[0])], places[id(pair[1])])):
        common = sorted(one.keys() & other.keys())
        same = tuple(rung for rung in common if agree(one[rung], other[rung]))
        digits = sum(max(min(one[r].figure.digits, other[r].figure.digits) - 2, 0) for r in same)
        if len(same) >= _LEAST and 4 * len(same) >= 3 * len(common) and digits >= _ENOUGH_DIGITS:
            yield Alike(one, other, same, tuple(rung for rung in common if rung not in same))


def _that_agree(curves: Sequence[Curve]) -> Iterator[tuple[Curve, Curve]]:
    """Yields the pairs of curves that agree at three rungs or more.

    Cells of one rung are compared in the order of their values, each with those just above: of thousands of
    series few are near each other.
    """
    rungs: dict[float, list[tuple[float, int]]] = defaultdict(list)
    for place, curve in enumerate(curves):
        for rung, cell in curve.items():
            rungs[rung].append((cell.value, place))
    agreed: Counter[tuple[int, int]] = Counter()
    for rung, cells in rungs.items():
        cells.sort()
        widest = max(curves[place][rung].figure.step for _, place in cells)
        for at, (value, place) in enumerate(cells):
            for other, beside in cells[at + 1 :]:
                if other - value > widest:
                    break
                if agree(curves[place][rung], curves[beside][rung]):
                    agreed[min(place, beside), max(place, beside)] += 1
    for (one, two), times in agreed.items():
        if times >= _LEAST:
            yield curves[one], curves[two]


def agree(one: Cell, other: Cell) -> bool:
    """Returns whether two prints are one number, rounded differently at most."""
    step = max(one.figure.step, other.figure.step)
    return one.value != 0 and abs(one.value - other.value) <= step * 0.501


def name_of(cell: Cell) -> str:
    """Returns the name of a series for a reader."""
    levels = ", ".join(f"{name}={value}" for name, value in cell.levels if name != "workload" and value)
    return f"{cell.table}{f' [{levels}]' if levels else ''}"
