"""The table of what each host of a fleet says about the comparisons."""

from __future__ import annotations

from assay.reporting.report.material import Material
from assay.reporting.report.tables.model import Column, Figure, Table, named_columns
from assay.reporting.report.tables.wide import load_column


def tables(material: Material) -> list[Table]:
    """Returns `hosts`: one row a comparison and host, only where several hosts carried blocks out."""
    words, found = material.words, material.results.by_host
    if not found:
        return []
    columns = (
        Column("measure", words("column.measure"), kind="text"),
        load_column(material),
        *named_columns(
            words, "column", treatment="text", baseline="text", host="text", blocks="number", ratio="number"
        ),
        Column("hosts agree p", words("column.hosts-agree-p")),
        Column("between hosts", words("column.between-hosts"), "%"),
    )
    rows = tuple(
        (
            words.measure(one.measure),
            one.load,
            one.other,
            one.baseline,
            host.host or words("hosts.here"),
            host.blocks,
            Figure(host.ratio, host.low, host.high),
            one.p_value,
            None if one.between_sd is None else 100 * one.between_sd,
        )
        for one in found
        for host in one.by_host
    )
    return [Table("comparisons", "hosts", words("hosts.title"), columns, rows, note=words("hosts.note"))]
