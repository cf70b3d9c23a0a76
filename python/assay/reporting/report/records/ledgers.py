"""Records of ledgers for charts: the groups of each treatment that differ most."""

from __future__ import annotations

from dataclasses import dataclass

from assay.base.numbers import bracketed
from assay.reporting.report.ledger_sentences import part_name
from assay.reporting.report.material import Material
from assay.results.verdict import LineWord, shifts_of

MOST = 12
"""Groups that there is room for where one treatment is explained; fewer of each where there are several."""


@dataclass(frozen=True)
class LedgerBar:
    """A group of a ledger: its difference in µs with the interval, at the most telling load point."""

    baseline: str
    treatment: str
    load: float
    ledger: str
    group: str
    name: str
    change: float
    low: float | None
    high: float | None
    share: float | None
    word: LineWord
    said: str


def ledger_bars(material: Material, ledger: str) -> list[LedgerBar]:
    """Returns the groups of each treatment with the largest differences, the largest first."""
    found = [one for one in shifts_of(material.results) if one.ledger == ledger]
    each = MOST if len(found) == 1 else max(3, 2 * MOST // max(len(found), 1))
    return [
        LedgerBar(
            shift.baseline,
            shift.other,
            shift.load,
            ledger,
            one.group,
            part_name(one, ledger, material.words),
            one.change,
            one.low,
            one.high,
            one.share,
            one.word,
            f"{'+' if one.change > 0 else ''}{bracketed(one.change, one.low, one.high)}",
        )
        for shift in found
        for one in sorted(shift.groups, key=lambda one: -abs(one.change))[:each]
    ]
