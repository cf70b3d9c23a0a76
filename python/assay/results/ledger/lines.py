"""Reads the lines of one load point from what was watched after its measured window."""

from __future__ import annotations

from collections.abc import Iterator

from assay.design.folder import RungFolder
from assay.results.ledger.line import LedgerLine, MeasuredLoad


def lines_of(rung: RungFolder, measured: MeasuredLoad) -> Iterator[LedgerLine]:
    """Yields the lines of a load point, which add up to the totals of its measured window; none where nothing
    was watched.
    """
    yield from ()
