"""Carries several studies out in order, and shows it, for `assay published run` and `assay campaign run`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from assay.base.printable import line
from assay.front.terminal import say

if TYPE_CHECKING:
    from rich.console import Console

    from assay.experiments.lab import EndedStudy, QueuedStudy
    from assay.measurement.run import RunProgress


def fetched(queue: Callable[[], list[QueuedStudy]], out: Console) -> list[QueuedStudy]:
    """Prints the queue, and fetches the servers that its studies need. Returns the queue as it is then."""
    from assay.front.cli.server_get import get_and_show
    from assay.front.terminal import print_queue

    queued = queue()
    print_queue(queued, out)
    missing = dict.fromkeys(use for one in queued for use in one.fetches)
    for use in missing:
        get_and_show(use)
    return queue() if missing else queued


def run_queue(
    queued: Sequence[QueuedStudy],
    out: Console,
    *,
    title: Mapping[str, str],
    name: str,
    place: Path,
    budget_s: float | None = None,
) -> list[EndedStudy]:
    """Carries the studies out, prints how each ended, and writes their index page into `place`.

    Returns the studies as they ended.
    """
    from rich.markup import escape

    from assay.base.wording import counted
    from assay.experiments.gate import write_pages
    from assay.experiments.lab import run_studies, write_studies_index
    from assay.front.cli.run import progress_on, say_failed

    def begin(one: QueuedStudy) -> RunProgress:
        out.print(f"\n[bold]{escape(one.name)}[/]")
        return progress_on(out)

    over: list[EndedStudy] = []
    for ended in run_studies(queued, begin, write_pages, budget_s):
        over.append(ended)
        who = line(ended.queued.name)
        if ended.error is not None:
            out.print(f"{who}: {line(ended.error.message)}", markup=False)
            if ended.error.hint:
                out.print(f"  hint: {line(ended.error.hint)}", markup=False)
        if ended.cut_to is not None:
            planned = counted(ended.queued.blocks_planned, "block")
            out.print(f"{who}: the time sufficed for {ended.cut_to} of {planned}", markup=False)
        if ended.error is None and ended.page is not None:
            out.print(f"{who}: report: {line(str(ended.page))}", markup=False)
        if ended.outcome is not None and ended.outcome.failed:
            say_failed(ended.outcome, out)
    say(f"\nindex: {write_studies_index(title, name, over, place)}")
    return over
