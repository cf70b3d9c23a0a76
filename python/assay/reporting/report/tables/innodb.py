"""The table of InnoDB's panels: the mean, the least and the most of each line over the measured window."""

from __future__ import annotations

from statistics import fmean

from assay.reporting.report.records.innodb import InnodbSeconds
from assay.reporting.report.tables.model import Column, Table
from assay.reporting.report.words import Words


def innodb_table(seconds: InnodbSeconds | None, words: Words) -> Table:
    """Returns one row for each panel, line and treatment, flat ones too; none where nothing was sampled."""
    columns = (
        Column("panel", words("innodb.column.panel"), kind="text"),
        Column("line", words("innodb.column.line"), kind="text"),
        Column("unit", words("column.unit"), kind="text"),
        Column("treatment", words("column.treatment"), kind="text"),
        Column("mean", words("innodb.column.mean")),
        Column("least", words("innodb.column.least")),
        Column("most", words("innodb.column.most")),
    )
    values: dict[tuple[str, str, str, str], list[float]] = {}
    for point in () if seconds is None else seconds.points:
        if point.t_s > 0:
            key = point.panel, point.line, point.unit, point.treatment
            values.setdefault(key, []).append(point.value)
    rows = tuple(
        (
            words(f"innodb.panel.{panel}"),
            line_name(line, words),
            words.unit(unit),
            treatment,
            fmean(found),
            min(found),
            max(found),
        )
        for (panel, line, unit, treatment), found in values.items()
    )
    title = words("innodb.table")
    return Table("", "innodb", title, columns, rows, empty=words("innodb.nothing"), folded=True)


def line_name(line: str, words: Words) -> str:
    """Returns the name of a line; those of handlers are the server's own, without `Handler_`."""
    return words.get(f"innodb.line.{line}", line)
