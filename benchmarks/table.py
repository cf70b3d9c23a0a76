"""Makes the table of a section as text: what the terminal and the page have in common."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.outcome import Outcome
from benchmarks.rows import Row
from benchmarks.spread import State
from benchmarks.wording import checked, figure, mark

CHECKS, MARK = -4, -3
"""Columns from the end of a table: its checks, and the mark of the worst."""


@dataclass(frozen=True)
class Table:
    """The headings of a table, which of its columns hold figures, and the cells and state of each row."""

    headings: list[str]
    is_figure: list[bool]
    rows: list[tuple[list[str], State | None]]


def table_of(outcome: Outcome, *, between: str = "; ") -> Table:
    """Returns the table of a section; `between` stands between the checks of a row."""
    names = list(dict.fromkeys(name for row in outcome.rows for name in row.medians))
    return Table(
        ["cell", "figure", *names, "ratio or error, and target", "", "canary", "others"],
        [False, False, *[True] * len(names), False, False, True, True],
        [(_cells(row, names, between), row.state) for row in outcome.rows],
    )


def _cells(row: Row, names: list[str], between: str) -> list[str]:
    return [
        row.cell,
        row.figure,
        *(figure(row.medians.get(name)) for name in names),
        between.join(checked(check) for check in row.checks),
        mark(row.state),
        f"{row.conditions.canary_swing:.2f}",
        f"{row.conditions.foreign_share:.0%}",
    ]
