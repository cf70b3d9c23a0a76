"""Turns a comparison into tables for a page, in any language of the reports."""

from __future__ import annotations

from collections.abc import Iterator

from assay.comparison.comparing import GridComparison
from assay.report import Column, Table, Words
from assay.report import Figure as Measured


def comparison_tables(found: GridComparison, words: Words) -> Iterator[Table]:
    """Yields the cells with their ratios, then the shapes along the axis that courses follow."""
    axes = found.matched.axes
    yield Table(
        section="",
        name="cells",
        title=words("beside.cells", left=found.left.name, right=found.right.name),
        columns=(
            *(Column(axis.name, words.get(f"load.{axis.name}", axis.name), kind="text") for axis in axes),
            Column("measure", words("column.measure"), kind="text"),
            Column("left", words("beside.left")),
            Column("right", words("beside.right")),
            Column("ratio", words("beside.ratio")),
        ),
        rows=tuple(
            (
                *(mine if mine == its else f"{mine} ({its})" for mine, its in one.levels),
                words.measure(one.measure),
                one.left,
                one.right,
                Measured(one.ratio, one.low, one.high),
            )
            for one in found.cells
        ),
        note=words("beside.interval"),
    )
    along = None if found.along is None else found.along.name
    if along is None:
        return
    yield Table(
        section="",
        name="shapes",
        title=words("beside.shapes", axis=words.get(f"load.{along}", along)),
        columns=(
            Column("measure", words("column.measure"), kind="text"),
            Column("series", words("beside.series"), kind="text"),
            Column("points", words("beside.points")),
            Column("spearman", "Spearman"),
            Column("kendall", "Kendall"),
            Column("best left", words("beside.best-left"), kind="text"),
            Column("best right", words("beside.best-right"), kind="text"),
            Column("knee left", words("beside.knee-left"), kind="text"),
            Column("knee right", words("beside.knee-right"), kind="text"),
        ),
        rows=tuple(
            (
                words.measure(one.measure),
                one.series or None,
                one.points,
                None if one.ranks is None else f"{one.ranks.spearman:+.2f}",
                None if one.ranks is None else f"{one.ranks.kendall:+.2f}",
                *one.best,
                *(one.knee or (None, None)),
            )
            for one in found.shapes
        ),
        note=words("beside.honest"),
    )
