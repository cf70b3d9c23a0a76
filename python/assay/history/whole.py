"""The history of roots: every results folder below them, read, put in series and searched for changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.errors import AssayError, InputError
from assay.history.changes import Shift, changes_of, shifts_of
from assay.history.reading import Cell, read_cells
from assay.history.series import Order, Series, series_of
from assay.lab import results_below
from assay.study import MEASURES, SERVER, did_you_mean, parted

THROUGHPUT = "throughput"


@dataclass(frozen=True)
class Wanted:
    """What of a history is asked for. `measures`: as claims name them, or `throughput`."""

    measures: tuple[str, ...] = (THROUGHPUT,)
    order: Order = "build"
    canary: str | None = None
    least: float | None = None  # None: 2 %, or what two runs of a build differ by


@dataclass(frozen=True)
class History:
    """Series, their shifts, and what could not be read: a sentence each."""

    series: tuple[Series, ...]
    shifts: tuple[Shift, ...]
    folders: int
    unread: tuple[str, ...]


def history(
    roots: Sequence[Path], wanted: Wanted, reading: Callable[[Path], None] = lambda _: None
) -> History:
    """Everything that the results folders at and below `roots` say of builds over time.

    `reading` is told of each folder before it is read. A folder that cannot be read is left out and named in
    `unread`. InputError for an unknown measure, where there are no results, or none has the canary.
    """
    measures = _measures(wanted.measures)
    folders = [folder for root in roots for folder in results_below(root)]
    if not folders:
        raise InputError(
            f"{', '.join(map(str, roots))}: contains no results of a study",
            hint="give folders made by `assay run`, or a folder of such folders, as results",
        )
    cells: list[Cell] = []
    unread = []
    for folder in dict.fromkeys(folders):
        reading(folder)
        try:
            cells += read_cells(folder, measures)
        except AssayError as error:
            unread.append(f"{folder}: {error.message}")
    if wanted.canary is not None and not any(one.build.is_named(wanted.canary, one.use) for one in cells):
        there = ", ".join(sorted({one.use for one in cells}))
        raise InputError(
            f"--canary {wanted.canary}: no results have this server",
            hint=f"name it as the studies do: {there}" if there else None,
        )
    series = series_of(cells, wanted.order, wanted.canary)
    series.sort(key=lambda one: (-len(one.points), str(one.where), one.measure))
    changes = [change for one in series for change in changes_of(one, wanted.least)]
    return History(tuple(series), tuple(shifts_of(changes, series)), len(set(folders)), tuple(unread))


def _measures(named: Sequence[str]) -> frozenset[str]:
    found = set()
    for name in named:
        if name == THROUGHPUT:
            found.add(SERVER.throughput)
        elif parted(name)[1] in MEASURES:
            found.add(name)
        else:
            raise InputError(f"{name} is no measure{did_you_mean(name, (THROUGHPUT, *MEASURES))}")
    return frozenset(found)
