"""Tables of estimates and of single values, for the twins of pages."""

from __future__ import annotations

from collections.abc import Iterable

from assay.reporting.report import Column, Figure, Origin, Table, Words, named_columns
from assay.results.verdict import Estimate


def estimates_table(words: Words, estimates: Iterable[Estimate]) -> Table:
    """Returns one row a treatment, load point and measure, with the interval over blocks."""
    return Table(
        section="",
        name="estimates",
        title=words("web.number.estimates"),
        columns=(
            Column("treatment", words("column.treatment"), kind="text"),
            Column("load", words("web.column.load")),
            *named_columns(words, "column", measure="text", unit="text"),
            Column("value", words("web.column.value")),
            Column("blocks", words("column.blocks")),
        ),
        rows=tuple(
            (
                one.treatment,
                one.load,
                one.measure,
                one.unit,
                Figure(one.value, one.low, one.high, Origin(one.treatment, one.load, one.measure)),
                len(one.blocks),
            )
            for one in estimates
        ),
    )
