"""Says what the charts show of which a difference is made."""

from __future__ import annotations

from collections.abc import Sequence

from assay.base.numbers import number, with_interval
from assay.reporting.report.charts.phrases import spoken, with_unit
from assay.reporting.report.material import Material
from assay.reporting.report.records.flame import FlameFrame, nearest_name, telling_frame
from assay.reporting.report.records.ledgers import LedgerBar
from assay.reporting.report.records.why import WhyRow


def why(material: Material, rows: Sequence[WhyRow]) -> str:
    """Returns the sentence of the counters that differ: the first of them, with both figures."""
    words, first = material.words, rows[0]
    return words(
        "says.why",
        measure=words.measure(first.measure),
        load=material.load_words(first.load),
        before=with_unit(material, number(first.before), first.unit),
        after=with_unit(material, number(first.after), first.unit),
        baseline=spoken(material, first.baseline),
        treatment=spoken(material, first.treatment),
    )


def flame(material: Material, frames: Sequence[FlameFrame]) -> str:
    """Returns the sentence of a flame graph: the frame with the clearest change, or that none has one."""
    words, found = material.words, telling_frame(frames)
    first = found or frames[0]
    sign = "+" if first.change_us > 0 else ""
    return words(
        "says.flame-none" if found is None else "says.flame",
        treatment=spoken(material, first.treatment),
        baseline=spoken(material, first.baseline),
        load=material.load_words(first.load),
        name=nearest_name(first),
        change=f"{sign}{with_interval(first.change_us, first.low_us, first.high_us)}",
    )


def ledger(material: Material, bars: Sequence[LedgerBar]) -> str:
    """Returns the sentence of a ledger: its largest certain line; without one the largest estimate."""
    words, moved = material.words, [bar for bar in bars if bar.word == "moved"]
    largest = max(moved or bars, key=lambda bar: abs(bar.change))
    return words(
        "says.ledger" if moved else "says.ledger-open",
        line=largest.name,
        amount=largest.said,
        load=material.load_words(largest.load),
        baseline=spoken(material, largest.baseline),
        treatment=spoken(material, largest.treatment),
    )
