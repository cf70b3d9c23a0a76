"""Turns a comparison into tables for a page, in any language of the reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from assay.experiments.comparison.comparing import GridComparison
from assay.experiments.comparison.grid import Grid
from assay.reporting.report import Column, Table, Words, explain_estimate, named_columns
from assay.reporting.report import Figure as Measured


def comparison_tables(found: GridComparison, words: Words) -> Iterator[Table]:
    """Yields what differs, the doubts of both sides, the cells with their ratios, then the shapes along the
    axis that courses follow.
    """
    axes = found.matched.axes
    yield unlike_table(found, words)
    yield doubts_table(found, words)
    yield Table(
        section="",
        name="cells",
        title=words("beside.cells", left=found.left.name, right=found.right.name),
        columns=(
            *(Column(axis.name, words.get(f"load.{axis.name}", axis.name), kind="text") for axis in axes),
            Column("measure", words("column.measure"), kind="text"),
            *named_columns(words, "beside", left="number", right="number", ratio="number"),
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
        note=words.sentences([words("beside.interval"), *estimates(found, words)]),
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
            *named_columns(words, "beside", series="text", points="number"),
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


def unlike_table(found: GridComparison, words: Words) -> Table:
    """Returns one row a thing that differs between both sides; without rows, why there is none."""
    printed = found.left.conditions is None or found.right.conditions is None
    return Table(
        section="",
        name="unlike",
        title=words("beside.unlike"),
        columns=named_columns(words, "beside", setting="text", left="text", right="text"),
        rows=tuple(
            (words(f"beside.group-{one.group}", name=_name(one.group, one.name, words)), one.left, one.right)
            for one in found.unlike
        ),
        empty=words("beside.printed" if printed else "beside.no-unlike"),
    )


def doubts_table(found: GridComparison, words: Words) -> Table:
    """Returns one row a kind of doubt, with how often each side has it."""
    sides = [Counter(note.kind for note in grid.doubts) for grid in (found.left, found.right)]
    return Table(
        section="",
        name="doubts",
        title=words("beside.doubts"),
        columns=(
            Column("kind", words("column.kind"), kind="text"),
            *named_columns(words, "beside", left="number", right="number"),
        ),
        rows=tuple(
            (words.get(f"doubt.{kind}", kind), *(counts[kind] for counts in sides))
            for kind in dict.fromkeys(kind for counts in sides for kind in counts)
        ),
        empty=words("doubts.empty"),
    )


def doubts_text(grid: Grid, words: Words) -> str:
    """Returns the kinds of a side's doubts, the commonest first, with how often each occurs."""
    counts = Counter(note.kind for note in grid.doubts)
    return words.listed(
        f"{words.get(f'doubt.{kind}', kind)}{f' × {count}' if count > 1 else ''}"
        for kind, count in counts.most_common()
    )


def estimates(found: GridComparison, words: Words) -> list[str]:
    """Returns why ratios have no interval, each reason once."""
    decisions = (one.decision for one in found.cells if one.decision is not None)
    return list(dict.fromkeys(explain_estimate(words, one) for one in decisions if not one.is_firm))


def _name(group: str, name: str, words: Words) -> str:
    return words(f"web.compare.fact-{name}") if group == "fact" else name
