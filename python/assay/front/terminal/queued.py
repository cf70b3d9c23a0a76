"""Prints studies that wait to be run: how far each has come and how long it takes."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from assay.base.printable import line
from assay.base.wording import duration
from assay.experiments.lab import QueuedStudy
from assay.front.terminal.tables import figures_table


def print_queue(queued: Sequence[QueuedStudy], console: Console) -> None:
    """Prints a row for each study, the time of all together, and the problems that would stop one."""
    table = figures_table("study", "runs", "done", "about")
    for one in queued:
        left = (
            "done" if one.is_complete else duration(one.seconds_left) if one.refusal is None else "cannot run"
        )
        table.add_row(line(one.name), str(one.runs), str(one.done), left)
    console.print(table)
    console.print(f"about {duration(sum(one.seconds_left for one in queued))} in all", markup=False)
    if fetched := dict.fromkeys(use for one in queued for use in one.fetches):
        console.print(f"servers to fetch first: {', '.join(fetched)}", markup=False)
    for one in queued:
        if one.refusal is not None:
            console.print(f"{line(one.name)} cannot run: {line(one.refusal.message)}", markup=False)
            if one.refusal.hint:
                console.print(f"  hint: {line(one.refusal.hint)}", markup=False)
