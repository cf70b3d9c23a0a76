"""Decides whether two grids may stand side by side, and finds in what they differ."""

from __future__ import annotations

from collections.abc import Sequence

from assay.base.errors import InputError
from assay.design.study import Choice, Conditions, Unlikeness, forbidding, unlikenesses
from assay.experiments.comparison.grid import Grid
from assay.experiments.comparison.sources import tables_of_study

OF_GRIDS = Choice(forbids=frozenset({"work"}))
"""Results of any two machines, servers and versions stand side by side, without a word on which is better."""


def refuse_other_work(left: Grid, right: Grid) -> None:
    """Raises InputError where figures of the two sides mean different things; it names the published table
    that a study repeats.
    """
    if not forbidding(Conditions(work=left.work), Conditions(work=right.work), OF_GRIDS):
        return
    tables = [table for grid in (left, right) for table in tables_of_study(grid)]
    repeated = f"its study repeats {', '.join(tables)}" if tables else None
    raise InputError(
        f"{left.name} is {left.work}, and {right.name} is {right.work}: figures of two kinds of work cannot"
        " be compared",
        hint=repeated or "give results of the same kind of work",
    )


def other_tables(left: Grid, right: Grid) -> tuple[str, ...]:
    """Returns a note on the tables that a study repeats beside the one that it is compared with."""
    others = [table for table in tables_of_study(left) if table != right.name]
    if right.conditions is not None or not others:
        return ()
    return (f"its study also repeats {', '.join(others)}",)


def unlike(left: Grid, right: Grid, axes: Sequence[str]) -> tuple[Unlikeness, ...]:
    """Returns what differs between measured results, but for the settings that are axes of both; nothing for
    a printed table, of which nothing else is known.
    """
    if left.conditions is None or right.conditions is None:
        return ()
    compared = {name for axis in axes for name in axis.split("=")}
    return tuple(
        one
        for one in unlikenesses(left.conditions, right.conditions, OF_GRIDS)
        if one.name.rpartition(".")[2].strip('"') not in compared
    )
