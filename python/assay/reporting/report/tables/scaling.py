"""The table of how throughput scales with threads, by the Universal Scalability Law of each treatment."""

from __future__ import annotations

from assay.base.numbers import number
from assay.reporting.report.material import Material
from assay.reporting.report.records.scaling import scaling
from assay.reporting.report.tables.model import Cell, Column, Figure, Table, named_columns
from assay.results.stats import ENOUGH_RUNGS, MISFIT, USL_REACH, Peak, Usl


def tables(material: Material) -> list[Table]:
    """Returns `scaling`: one row a treatment; no table without a ladder of four rungs."""
    words, laws = material.words, scaling(material)
    if not laws:
        return []
    columns = (
        Column("treatment", words("column.treatment"), kind="text"),
        Column("gamma", words("scaling.gamma"), "1/s"),
        *named_columns(words, "scaling", sigma="number", kappa="number", peak="text"),
        Column("worst_residual", words("scaling.residual"), "%"),
    )
    rows = tuple(_row(material, treatment, law) for treatment, law in laws.items())
    note = words("scaling.note", most=number(USL_REACH * max(material.results.loads)))
    return [Table("results", "scaling", words("scaling.title"), columns, rows, note)]


def _row(material: Material, treatment: str, law: Usl) -> tuple[Cell, ...]:
    figures = (Figure(i.value, i.low, i.high) for i in (law.gamma, law.sigma, law.kappa))
    load, worst = law.worst
    if law.peak is None and abs(worst) < MISFIT:
        return (treatment, *figures, material.words("scaling.few-rungs", rungs=ENOUGH_RUNGS), 100 * worst)
    if law.peak is None:
        missed = material.words("scaling.misfit", load=number(load), percent=f"{100 * abs(worst):.0f}")
        return (treatment, *figures, missed, 100 * worst)
    return (treatment, *figures, _peak(material, law.peak), 100 * worst)


def _peak(material: Material, peak: Peak) -> str:
    words = material.words
    if not peak.in_sight:
        return (
            words("scaling.no-peak") if peak.low is None else words("scaling.beyond", low=f"{peak.low:.0f}")
        )
    at = f"{peak.value:.0f}"
    if peak.low is None or peak.high is None:
        return at
    if peak.high == float("inf"):
        return words("scaling.open", at=at, low=f"{peak.low:.0f}")
    return f"{at} [{peak.low:.0f}, {peak.high:.0f}]"
