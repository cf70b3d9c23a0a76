"""Doubts about results that another tool measured: what it cannot show, and what its seconds show."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb

from assay.results.verdict.doubts import window
from assay.results.verdict.doubts.rung_seen import RungSeen
from assay.results.verdict.results import DoubtNote


def imported(store: duckdb.DuckDBPyConnection) -> Iterator[DoubtNote]:
    """Yields one doubt about all imported runs, with the tools that measured them."""
    tools = [tool for (tool,) in store.execute("SELECT DISTINCT imported FROM runs ORDER BY 1").fetchall()]
    if tools:
        names = ", ".join(tools)
        message = (
            f"{names} measured these results, not Assay: nothing shows whether the machine was quiet, the"
            " data were fresh or the generator had time to spare, and repeats are paired in the order of"
            " the files"
        )
        yield DoubtNote("imported", message, None, None, "warning", {"tools": names})


def of_rung(rung: RungSeen) -> Iterator[DoubtNote]:
    """Yields doubts about the printed intervals, where they are seconds."""
    if rung.each_second:
        yield from window.stalled(rung)
        yield from window.unsteady(rung)
