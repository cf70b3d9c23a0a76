"""The table of what differs between treatments in the cost of one operation, by evidence."""

from __future__ import annotations

from assay.reporting.report.material import Material
from assay.reporting.report.tables.model import Column, Table

SHOWN = 20


def tables(material: Material) -> list[Table]:
    """Returns `reasons`: one row for each cost or counter that differs, the clearest of each treatment first;
    none where nothing does.
    """
    words = material.words
    rows = tuple(
        (
            one.other,
            words.measure(reason.measure),
            words.unit(reason.unit),
            reason.load,
            reason.before,
            reason.after,
            reason.after / reason.before if reason.before else None,
            reason.distance,
            words.listed(words.measure(name) for name in reason.alike),
        )
        for one in material.results.differing
        for reason in one.reasons[:SHOWN]
    )
    if not rows:
        return []
    baseline = material.results.treatments[0]
    columns = (
        Column("treatment", words("column.treatment"), kind="text"),
        Column("measure", words("column.measure"), kind="text"),
        Column("unit", words("column.unit"), kind="text"),
        Column("load", words("reasons.load")),
        Column("baseline", baseline),
        Column("value", words("reasons.value")),
        Column("ratio", words("reasons.ratio")),
        Column("distance", words("reasons.distance")),
        Column("alike", words("reasons.alike"), kind="prose"),
    )
    note = words("reasons.note", shown=SHOWN)
    return [Table("costs", "reasons", words("reasons.title"), columns, rows, note=note)]
