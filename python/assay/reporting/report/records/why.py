"""Records of what differs in the cost of one operation, the clearest first."""

from __future__ import annotations

from dataclasses import dataclass

from assay.reporting.report.material import Material

TOP = 6
"""Reasons that there is room for where two treatments are compared."""
_ROWS = 12
"""Reasons that there is room for in all, where more are."""


@dataclass(frozen=True)
class WhyRow:
    """A cost or counter of one operation that differs between two treatments: its means at `load`, and the
    ratio over all load points with its interval, each None where one side has none at all.
    """

    baseline: str
    treatment: str
    measure: str
    unit: str
    load: float
    before: float
    after: float
    ratio: float | None
    low: float | None
    high: float | None


def why_rows(material: Material) -> list[WhyRow]:
    """Returns the first reasons of each treatment: six of a single one, fewer of each where there are
    several.
    """
    found = [one for one in material.results.differing if one.reasons]
    each = TOP if len(found) == 1 else max(1, _ROWS // len(found)) if found else 0
    return [
        WhyRow(
            baseline=one.baseline,
            treatment=one.other,
            measure=reason.measure,
            unit=reason.unit,
            load=reason.load,
            before=reason.before,
            after=reason.after,
            ratio=reason.ratio,
            low=reason.ratio_low,
            high=reason.ratio_high,
        )
        for one in found
        for reason in one.reasons[: min(each, TOP)]
    ]
