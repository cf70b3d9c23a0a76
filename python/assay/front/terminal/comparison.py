"""Prints a comparison: what was compared, a ratio for each cell, and which shapes agree."""

from __future__ import annotations

from rich.console import Console

from assay.base.numbers import number
from assay.base.printable import line
from assay.base.wording import counted
from assay.experiments.comparison import GridComparison, ShapeAgreement, doubts_text, estimates, unlike_table
from assay.front.terminal.tables import figures_table
from assay.reporting.report import load_words

_FEW = 6
_MOST_UNLIKE = 30


def print_comparison(found: GridComparison, console: Console) -> None:
    """Prints the notes, the cells, the shapes, and the conclusion."""
    words = load_words("en")
    for side, grid in (("left", found.left), ("right", found.right)):
        machine = f": {grid.machine}" if grid.machine else ""
        console.print(f"{side:5}  {line(grid.name)}{line(machine)}", markup=False)
        if doubts := doubts_text(grid, words):
            console.print(f"       {words('decision.doubts', kinds=line(doubts))}", markup=False)
    for note in found.notes:
        console.print(f"note: {line(note)}", markup=False)
    console.print()
    _unlike(found, console)
    _cells(found, console)
    for said in estimates(found, words):
        console.print(said, markup=False)
    _shapes(found, console)
    console.print(load_words("en")("beside.honest"), markup=False)


def _unlike(found: GridComparison, console: Console) -> None:
    table = unlike_table(found, load_words("en"))
    if not table.rows:
        console.print(f"{table.empty}\n", markup=False)
        return
    console.print(f"[bold]{table.title}[/]")
    drawn = figures_table("what", "left", "right", left=3)
    for row in table.rows[:_MOST_UNLIKE]:
        drawn.add_row(*(line(f"{cell}" or "-").replace("[", r"\[") for cell in row))
    console.print(drawn)
    if (more := len(table.rows) - _MOST_UNLIKE) > 0:
        console.print(f"and {counted(more, 'other difference')}: --json lists all", markup=False)
    console.print()


def _cells(found: GridComparison, console: Console) -> None:
    axes = found.matched.axes
    table = figures_table(
        *(axis.name for axis in axes), "measure", "left", "right", "left / right", "95 %", left=len(axes) + 1
    )
    for one in found.cells:
        edges = "-" if one.low is None else f"{number(one.low)} to {number(one.high)}"
        levels = [mine if mine == its else f"{mine} ({its})" for mine, its in one.levels]
        table.add_row(
            *(line(level).replace("[", r"\[") for level in levels),
            line(one.measure),
            number(one.left),
            number(one.right),
            number(one.ratio),
            edges,
        )
    console.print(table)
    console.print()


def _shapes(found: GridComparison, console: Console) -> None:
    if found.along is not None:
        console.print(f"[bold]Along {found.along.name}[/]")
        table = figures_table(
            "measure",
            "series",
            "points",
            "Spearman",
            "Kendall",
            "best, left",
            "right",
            "knee, left",
            "right",
            left=2,
        )
        for one in found.shapes:
            ranks = one.ranks
            table.add_row(
                line(one.measure),
                line(one.series or "all").replace("[", r"\["),
                f"{one.points}{' (few)' if one.points < _FEW else ''}",
                "-" if ranks is None else f"{ranks.spearman:+.2f}",
                "-" if ranks is None else f"{ranks.kendall:+.2f}",
                *(one.best),
                *(one.knee or ("-", "-")),
            )
        console.print(table)
        console.print(_summed_up(found.shapes), markup=False)
    for best in found.best:
        console.print(
            f"{best.measure}: the same level of {best.axis} is best at {best.agree} of"
            f" {counted(best.of, 'place')}",
            markup=False,
        )
    console.print()


def _summed_up(shapes: tuple[ShapeAgreement, ...]) -> str:
    """Returns the summary of shapes: `the best level agrees in 3 of 4 courses, the knee in 1 of 2`."""
    same = sum(one.best[0] == one.best[1] for one in shapes)
    said = f"the best level agrees in {same} of {counted(len(shapes), 'course')}"
    knees = [one.knee for one in shapes if one.knee is not None]
    return f"{said}, the knee in {sum(a == b for a, b in knees)} of {len(knees)}" if knees else said
