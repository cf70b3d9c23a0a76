"""Makes cells of estimates and comparisons, which say what they show, so that a page can lead there."""

from __future__ import annotations

from typing import Protocol

from assay.report.material import Material
from assay.report.tables.model import Figure, Origin, Ratio
from assay.verdict import Comparison


class Estimated(Protocol):
    """An estimate, or what has the same fields."""

    @property
    def treatment(self) -> str: ...
    @property
    def load(self) -> float: ...
    @property
    def measure(self) -> str: ...
    @property
    def value(self) -> float: ...
    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...
    @property
    def at_least(self) -> bool: ...


def figure_cell(material: Material, found: Estimated | None) -> Figure | None:
    """Returns an estimate as a cell; None for none."""
    if found is None:
        return None
    treatment = material.own.get(found.treatment, found.treatment)
    of = Origin(treatment, found.load, found.measure)
    return Figure(found.value, found.low, found.high, of, found.at_least)


def ratio_cell(material: Material, found: Comparison | None) -> Ratio | None:
    """Returns a comparison of two treatments as a cell; None for none."""
    if found is None:
        return None
    other, baseline = (material.own.get(name, name) for name in (found.other, found.baseline))
    of = Origin(other, found.load, found.measure, baseline)
    return Ratio(found.ratio, found.low, found.high, found.word, of, found.bound)
