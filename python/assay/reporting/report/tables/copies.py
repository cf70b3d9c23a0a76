"""The table of equal treatments: how much single runs vary, and the effects of place in the block and
time.
"""

from __future__ import annotations

from assay.base.numbers import number
from assay.reporting.report.material import Material
from assay.reporting.report.tables.model import Column, Table
from assay.reporting.report.tables.wide import load_column


def tables(material: Material) -> list[Table]:
    """Returns `copies`: one row a measure and load point, only where all treatments are equal."""
    words, found = material.words, material.results.copies
    if not found:
        return []
    alarms = material.results.false_alarms
    columns = (
        Column("measure", words("column.measure"), kind="text"),
        load_column(material),
        Column("noise", words("column.noise"), "%"),
        Column("noise low", words("column.noise-low"), "%"),
        Column("noise high", words("column.noise-high"), "%"),
        Column("degrees", words("column.degrees")),
        Column("by position", words("column.by-position"), kind="text"),
        Column("position p", words("column.position-p")),
        Column("drift", words("column.drift"), "%"),
        Column("drift p", words("column.drift-p")),
        Column("load luck", words("column.load-luck"), "%"),
        Column("load p", words("column.load-p")),
        Column("false alarms", words("column.false-alarms")),
    )
    rows = tuple(
        (
            words.measure(one.measure),
            one.load,
            100 * one.log_sd,
            100 * one.low,
            100 * one.high,
            one.degrees,
            " ".join(f"×{number(ratio, 3)}" for ratio in one.by_position),
            one.position_p,
            None if one.drift is None else 100 * (one.drift - 1),
            one.drift_p,
            None if one.load_sd is None else 100 * one.load_sd,
            one.load_p,
            sum((c.measure, c.load) == (one.measure, one.load) for c in alarms),
        )
        for one in found
    )
    compared = len(material.results.comparisons)
    note = words("copies.note", alarms=len(alarms), compared=compared)
    return [Table("comparisons", "copies", words("copies.title"), columns, rows, note=note)]
