"""Prints a history: its changes, then every series with its current state."""

from __future__ import annotations

from rich.console import Console

from assay.base.numbers import number
from assay.base.printable import line
from assay.base.wording import counted
from assay.experiments.history import History, Series, Shift
from assay.front.terminal.tables import figures_table


def print_history(history: History, console: Console) -> None:
    """Prints the changes, one row for each place where series step, then the series."""
    _shifts(history, console)
    _series(history, console)
    for one in history.unread:
        console.print(f"not read: {line(one)}", markup=False)


def _shifts(history: History, console: Console) -> None:
    if not history.shifts:
        longest = max((len(one.points) for one in history.series), default=0)
        console.print(
            f"No change points; the longest series has {counted(longest, 'value')}.\n", markup=False
        )
        return
    table = figures_table("change", "from", "to", "largest", "95 %", "measure", "series", "state", left=3)
    for one in history.shifts:
        largest = one.largest
        table.add_row(
            one.id,
            line(one.before),
            line(one.after),
            _percent(largest.ratio),
            f"[{_percent(largest.low)}, {_percent(largest.high)}]".replace("[", r"\["),
            line(_of(largest.series)),
            _moved(one),
            history.states[one.id].state,
        )
    console.print(table)
    for one in history.shifts:
        state = history.states[one.id]
        for said in filter(None, (state.paired, state.made_of, state.closing, state.reason)):
            console.print(f"  {one.id}: {line(said)}", markup=False)
    console.print()


def _moved(one: Shift) -> str:
    better, worse = one.better, len(one.changes) - one.better
    words = [f"{count} {word}" for count, word in ((better, "better"), (worse, "worse")) if count]
    return f"{', '.join(words)} of {one.of}"


def _series(history: History, console: Console) -> None:
    changed = [change.series for shift in history.shifts for change in shift.changes]
    table = figures_table("series", "values", "newest", "value", "95 %", "seen from", "changes", left=1)
    for one in history.series:
        newest = one.points[-1]
        edges = None if newest.low is None else f"{number(newest.low)} to {number(newest.high)}"
        table.add_row(
            line(_of(one)),
            str(len(one.points)),
            line(newest.build),
            f"{number(newest.value)}{'' if one.canary else f' {one.unit}'}",
            edges or "-",
            f"{one.least:.1%}",
            str(sum(series is one for series in changed)),
        )
    console.print(table)
    for canary in sorted({one.canary for one in history.series if one.canary}):
        console.print(f"Values are ratios to {line(canary)} in the same blocks.", markup=False)
    if any(one.canary is None for one in history.series):
        console.print(
            "Levels carry what the host did meanwhile; with --canary SERVER they are ratios to a build that"
            " runs in every study.",
            markup=False,
        )


def _of(one: Series) -> str:
    """Returns the name of a series, `tps WORKLOAD, 64 threads, purge_threads=4`, without what most series
    share.
    """
    where = one.where
    configuration = "" if where.configuration == "default" else f", {where.configuration}"
    return f"{one.measure} {where.workload}, {where.load_text}{configuration}"


def _percent(ratio: float) -> str:
    return f"{(ratio - 1) * 100:+.1f} %"
