"""Makes cells of estimates and comparisons, which say what they show, so that a page can lead there."""

from __future__ import annotations

from typing import Protocol

from assay.reporting.report.material import Material
from assay.reporting.report.tables.model import Figure, Origin, Ratio
from assay.results.verdict import NOT_REACHED, Comparison, Estimate


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


def why_no_ratio(before: Estimate, after: Estimate) -> str:
    """Returns the word for the reason why two estimates are not compared, though both are there."""
    waiting = [bool({*NOT_REACHED} & {*one.doubts}) for one in (before, after)]
    if waiting[0] != waiting[1]:
        return "not-steady"
    values = [value for one in (before, after) for _, value in one.blocks]
    return "zero" if min(values) <= 0 else "no-common-block"


def ratio_or_reason(material: Material, other: str, load: float, measure: str) -> Ratio | None:
    """Returns the ratio of a treatment to the baseline as a cell, or why there is none; None where one of
    them was not measured.
    """
    found = material.comparison(other, load, measure)
    if found is not None:
        return ratio_cell(material, found)
    before = material.estimate(material.results.treatments[0], load, measure)
    after = material.estimate(other, load, measure)
    if before is None or after is None:
        return None
    return Ratio(None, None, None, why_no_ratio(before, after))


def ratio_cell(material: Material, found: Comparison | None) -> Ratio | None:
    """Returns a comparison of two treatments as a cell; None for none."""
    if found is None:
        return None
    other, baseline = (material.own.get(name, name) for name in (found.other, found.baseline))
    of = Origin(other, found.load, found.measure, baseline)
    return Ratio(found.ratio, found.low, found.high, found.word, of, found.bound)
