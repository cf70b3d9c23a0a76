"""Types and reader of `printed.json`: what another tool printed of a rung, in a run that `assay import`
wrote.

It stands in place of the engine's events; the manifest of the run has an `Imported`.
"""

from __future__ import annotations

import msgspec

from assay.design.folder.paths import RunFolder, RungFolder
from assay.design.folder.reading import read_part


class PrintedFigure(msgspec.Struct, frozen=True, kw_only=True):
    """One number that a tool printed; `name` is a measure of the store, or a column of its table `rungs`."""

    name: str
    unit: str
    value: float
    text: str  # exactly as printed; empty for a number that `how` derives
    file: str
    place: str  # "line 31", "jobs[0].read.iops"
    how: str = ""  # how the value follows from what was printed; empty: it is what was printed


class PrintedInterval(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of one stretch of the load; None stands for what the tool did not print."""

    t_s: float  # its start, seconds from the beginning of the load
    seconds: float
    tps: float | None = None
    qps: float | None = None
    mean_ms: float | None = None
    p50_ms: float | None = None
    p95_ms: float | None = None
    p99_ms: float | None = None
    read_mib_per_s: float | None = None
    write_mib_per_s: float | None = None


class PrintedSeries(msgspec.Struct, frozen=True, kw_only=True):
    """One further quantity over time; `source` is what measured it: "sysbench", "vmstat"."""

    source: str
    name: str
    t_s: list[float]
    value: list[float]


class PrintedBin(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a printed histogram of response times."""

    ms: float
    count: int


class Printed(msgspec.Struct, frozen=True, kw_only=True):
    """`printed.json`: everything that a tool printed of one load point."""

    figures: list[PrintedFigure] = []
    intervals: list[PrintedInterval] = []
    series: list[PrintedSeries] = []
    bins: list[PrintedBin] = []


MOST_BYTES = 256 << 20
"""The most bytes of the file: a tool may print a line a second of a long load."""


def read_printed(rung: RungFolder) -> Printed:
    """Returns what was printed of an imported rung. Raises `Damaged` when the file cannot be read."""
    return read_part(rung.printed, RunFolder(rung.path.parents[1]), Printed, MOST_BYTES)
