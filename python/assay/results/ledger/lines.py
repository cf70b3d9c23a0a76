"""Reads the lines of one load point from what was watched after its measured window."""

from __future__ import annotations

from collections.abc import Iterator

from assay.design.folder import RungFolder, StackProfile, read_packed, read_window
from assay.results.ledger import frames
from assay.results.ledger.line import LedgerLine, MeasuredLoad
from assay.results.ledger.processor import processor_lines
from assay.results.ledger.waits.lines import waiting_lines


def lines_of(rung: RungFolder, measured: MeasuredLoad) -> Iterator[LedgerLine]:
    """Yields the lines of a load point, which add up to the totals of its measured window; none where nothing
    was watched.
    """
    window = read_window(rung.profile)
    if window is None:
        return
    cpu_us, stacks = measured.total("cpu"), read_packed(rung.profile, "stacks", StackProfile)
    if cpu_us is not None and stacks is not None:
        yield from processor_lines(stacks, window, cpu_us)
    yield from waiting_lines(rung.profile, measured)


def frames_of(rung: RungFolder, measured: MeasuredLoad) -> Iterator[frames.Frame]:
    """Yields the call tree of a load point, in microseconds of a query; nothing where no stacks were seen."""
    window, cpu_us = read_window(rung.profile), measured.total("cpu")
    stacks = None if window is None else read_packed(rung.profile, "stacks", StackProfile)
    if window is not None and cpu_us is not None and stacks is not None:
        yield from frames.frames_of(stacks, window, cpu_us)
