"""Connects a single measurement with its display; an error is raised after what was measured has been
shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

from assay.base.errors import Interrupted
from assay.experiments.bench import Bench, measure
from assay.front.compat import ParsedCommand
from assay.front.terminal import BenchDisplay, ServerDisplay, console, print_measured, say_json

if TYPE_CHECKING:
    from assay.experiments.bench import RateQuestion, Start


def measure_shown(bench: Bench, asked: ParsedCommand, *, as_json: bool, histogram: bool) -> None:
    """Shows live lines and the summary on standard output; on standard error where standard output holds
    other text.
    """
    text = [] if asked.text is None else [asked.text(bench)]
    files = [make(bench) for make in asked.files]
    out = console(stderr=as_json or bool(text))
    with BenchDisplay(out, bench, lines=not text) as display:
        measured = measure(bench, display, listeners=[*text, *files], addition=asked.addition)
    if as_json:
        if (record := measured.record()) is not None:
            say_json(record)
    elif not text or measured.result is None:
        own = None if asked.addition is None else asked.addition.show
        print_measured(measured, out, own=own, histogram=histogram)
    if measured.error is not None:
        raise measured.error


def find_rate_shown(
    bench: Bench, start: Start, sought: RateQuestion, *, restarted: bool, as_json: bool
) -> None:
    """Shows every probe and the answer; as JSON only the answer goes to standard output.

    `start` makes a server ready; `restarted`: a fresh one each time.
    """
    from assay.experiments.bench import STARTS, find_rate_over_starts
    from assay.front.terminal import SearchDisplay, print_searched

    out = console(stderr=as_json)
    display = SearchDisplay(out, bench, sought.objective)
    starts = sought.starts or (STARTS if restarted else 1)
    searched = find_rate_over_starts(start, sought, display, starts=starts, restarted=restarted)
    if as_json:
        say_json(searched.record())
    else:
        print_searched(searched, out)
    if not searched.complete:
        raise Interrupted("Interrupted; the answer rests on the windows measured until then.")


@contextmanager
def servers_shown(bench: Bench, use: str | None, settings: dict[str, Any]) -> Iterator[Start]:
    """Yields the bench unchanged, or on servers that are started for it and shown on standard error."""
    if use is None:
        yield lambda: nullcontext(bench)
        return
    from assay.experiments.bench import own_servers
    from assay.front.cli.fetching import ready_for_servers

    ready_for_servers(use)
    with (
        ServerDisplay(console(stderr=True)) as display,
        own_servers(bench, use, settings, display) as start,
    ):
        yield start
