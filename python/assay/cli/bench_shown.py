"""A single measurement and its display, put together; what went wrong is raised after what was measured."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from assay.bench import Bench, measure
from assay.compat import Asked
from assay.errors import Interrupted
from assay.terminal import BenchDisplay, ServerDisplay, console, print_measured, say_json

if TYPE_CHECKING:
    from assay.bench import RateQuestion


def measure_shown(bench: Bench, asked: Asked, *, as_json: bool, histogram: bool) -> None:
    """Live lines and the summary go to standard output; where that is another's, to standard error."""
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


def find_rate_shown(bench: Bench, sought: RateQuestion, *, as_json: bool) -> None:
    """Every probe and the answer; as JSON the answer alone goes to standard output."""
    from assay.bench import find_rate
    from assay.terminal import SearchDisplay, print_searched

    out = console(stderr=as_json)
    searched = find_rate(bench, sought, SearchDisplay(out, bench, sought.objective))
    if as_json:
        say_json(searched.record())
    else:
        print_searched(searched, out)
    if not searched.complete:
        raise Interrupted("Interrupted; the answer is what was known until then.")


@contextmanager
def server_shown(bench: Bench, use: str | None, settings: dict[str, Any]) -> Iterator[Bench]:
    """The bench as it is, or on a server that is started for it and told of on standard error."""
    if use is None:
        yield bench
        return
    from assay.bench import on_own_server

    with (
        ServerDisplay(console(stderr=True)) as display,
        on_own_server(bench, use, settings, display) as ready,
    ):
        yield ready
