"""Computes the history of folders: reads every results folder below them, makes series, and finds their
changes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from assay.base.errors import AssayError, InputError
from assay.design.study import MEASURES, SERVER, did_you_mean, parted
from assay.experiments.history.changes import Shift, changes_of, shifts_of
from assay.experiments.history.confirming import write_confirmation
from assay.experiments.history.kept_cells import cells_of
from assay.experiments.history.reading import Cell
from assay.experiments.history.series import Order, Series, series_of
from assay.experiments.history.states import CONFIRMATIONS, State, explain, read_explanations, state_of
from assay.experiments.lab import results_below

THROUGHPUT = "throughput"


@dataclass(frozen=True)
class HistoryRequest:
    """The selection of a history. `measures`: as claims name them, or `throughput`."""

    measures: tuple[str, ...] = (THROUGHPUT,)
    order: Order = "build"
    canary: str | None = None
    least: float | None = None  # None: 2 %, or what two runs of a build differ by


@dataclass(frozen=True)
class History:
    """A history: series, their shifts with the state of each, and a sentence for each folder that could not
    be read.

    `root` is the first of the roots, where notes and studies that confirm changes lie.
    """

    series: tuple[Series, ...]
    shifts: tuple[Shift, ...]
    folders: int
    unread: tuple[str, ...]
    root: Path
    states: Mapping[str, State]  # by the id of the shift

    def shift(self, wanted: str) -> Shift:
        """Returns the change with this id, or its beginning. Raises InputError when there is none, or
        several.
        """
        found = [one for one in self.shifts if wanted and one.id.startswith(wanted)]
        if len(found) != 1:
            there = ", ".join(one.id for one in self.shifts)
            raise InputError(
                f"{wanted!r} is not a change of this history",
                hint=f"there are {there}" if there else "it has no changes",
            )
        return found[0]

    def confirm(self, wanted: str) -> Path:
        """Writes the study that confirms a change, and returns its file. Raises what `write_confirmation`
        raises.
        """
        return write_confirmation(self.root, self.shift(wanted))

    def explain(self, wanted: str, reason: str, closing: str = "") -> None:
        """Records the explanation of a change, and how it was closed; an empty reason removes it. Raises what
        `shift` raises, and InputError for a closing that there is not.
        """
        explain(self.root, self.shift(wanted), reason, closing)

    def restated(self) -> History:
        """Returns the history with the states that its changes have by now."""
        return replace(self, states=_states(self.shifts, self.root))


def history(
    roots: Sequence[Path], wanted: HistoryRequest, reading: Callable[[Path], None] = lambda _: None
) -> History:
    """Returns the history of all results folders at and below `roots`.

    `reading` is called with each folder before it is read. A folder that cannot be read, or has no value for
    a series, is left out and named in `unread`. Raises InputError for an unknown measure, where there are no
    results, or none has the canary.
    """
    measures = _measures(wanted.measures)
    folders = [
        folder
        for root in roots
        for folder in results_below(root)
        if CONFIRMATIONS not in folder.relative_to(root).parts
    ]
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
            read = cells_of(folder, measures)
        except AssayError as error:
            unread.append(f"{folder}: {error.message}")
            continue
        if not read:
            unread.append(f"{folder}: no run measured one of these on a server whose build is known")
        cells += read
    if wanted.canary is not None and not any(one.build.is_named(wanted.canary, one.use) for one in cells):
        there = ", ".join(sorted({one.use for one in cells}))
        raise InputError(
            f"--canary {wanted.canary}: no results have this server",
            hint=f"name it as the studies do: {there}" if there else None,
        )
    series = series_of(cells, wanted.order, wanted.canary)
    series.sort(key=lambda one: (-len(one.points), *one.identity))
    changes = [change for one in series for change in changes_of(one, wanted.least)]
    shifts = shifts_of(changes, series)
    states = _states(shifts, roots[0])
    return History(tuple(series), tuple(shifts), len(set(folders)), tuple(unread), roots[0], states)


def _states(shifts: Sequence[Shift], root: Path) -> dict[str, State]:
    explanations = read_explanations(root)
    return {one.id: state_of(one, root, explanations) for one in shifts}


def _measures(named: Sequence[str]) -> frozenset[str]:
    found = set()
    for name in named:
        if name == THROUGHPUT:
            found.add(SERVER.throughput)
        elif parted(name)[1] in MEASURES:
            found.add(name)
        else:
            raise InputError(f"{name} is not a measure{did_you_mean(name, (THROUGHPUT, *MEASURES))}")
    return frozenset(found)
