"""Carries several studies out in order, and shows it, for `assay published run` and `assay campaign run`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.base.printable import line

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
        get_and_show(use, err=out.stderr)
    return queue() if missing else queued


def queue_object(queued: Sequence[QueuedStudy]) -> dict[str, Any]:
    """Returns studies that wait to be run, for programs."""
    from assay.front.cli.complaint import error_object

    return {
        "studies": [
            {
                "name": one.name,
                "file": str(one.file),
                "results": None if one.folder is None else str(one.folder.path),
                "runs": one.runs,
                "done": one.done,
                "seconds_left": round(one.seconds_left, 1),
                "error": None if one.refusal is None else error_object(one.refusal),
            }
            for one in queued
        ],
        "seconds_left": round(sum(one.seconds_left for one in queued), 1),
        "fetches": list(dict.fromkeys(use for one in queued for use in one.fetches)),
    }


def ended_object(over: Sequence[EndedStudy], index: Path) -> dict[str, Any]:
    """Returns studies that were carried out, for programs."""
    from assay.front.cli.complaint import error_object

    return {
        "studies": [
            {
                "name": one.queued.name,
                "file": str(one.queued.file),
                "results": None if one.queued.folder is None else str(one.queued.folder.path),
                "whole": one.is_whole,
                "failed": [] if one.outcome is None else [name for name, _ in one.outcome.failed],
                "cut_to_blocks": one.cut_to,
                "report": None if one.page is None else str(one.page),
                "error": None if one.error is None else error_object(one.error),
            }
            for one in over
        ],
        "index": str(index),
    }


def run_queue(
    queued: Sequence[QueuedStudy],
    out: Console,
    *,
    title: Mapping[str, str],
    name: str,
    place: Path,
    budget_s: float | None = None,
) -> tuple[list[EndedStudy], Path]:
    """Carries the studies out, prints how each ended, and writes their index page into `place`.

    Returns the studies as they ended, and the page.
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
    index = write_studies_index(title, name, over, place)
    out.print(f"\nindex: {index}", markup=False)
    return over, index
