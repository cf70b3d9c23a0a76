"""Makes rows of what was watched after a measured window: sources, frames of the call tree, the effect of
watching.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.design.folder import ProfileWindow
from assay.results.ledger import MeasuredLoad, WatchedLoad
from assay.results.store.measures import Measure

WATCHED = "watched_tps_pct"
"""The measure of the effect of watching: throughput of the profile window in percent of the measured one."""

SourceRow = tuple[str, str, float | None, str | None]


def source_rows(watched: WatchedLoad) -> Iterator[SourceRow]:
    """Yields `source, name, value, text` for each figure that a source read, and for each sentence of it:
    `missing`, `remedy`, `note`. A load that did not run is the source `load`; a source whose file gives no
    lines is missing, too.
    """
    window = watched.window
    for name, why in watched.unread.items():
        if window is None or name not in window.sources or window.sources[name].missing is None:
            yield name, "missing", None, why
    if window is None:
        return
    if window.failed is not None:
        yield "load", "missing", None, window.failed
    for stage, stretch in (("load", window.main), ("tail", window.tail), ("counting", window.counting)):
        if stretch is not None:
            yield stage, "seconds", stretch.seconds, None
            if stretch.cut:
                yield stage, "note", None, "the load ended before the window did"
    for name, source in window.sources.items():
        if name not in watched.unread:
            yield from ((name, figure, value, None) for figure, value in source.read.items())
        for what, text in (("missing", source.missing), ("remedy", source.remedy)):
            if text is not None:
                yield name, what, None, text
        yield from ((name, "note", None, text) for text in source.notes)


def watched_measure(window: ProfileWindow, measured: MeasuredLoad) -> Measure | None:
    """Returns the throughput of the watched load in percent of the measured one; None in an open loop, whose
    throughput is its rate, and where either is not known.
    """
    main, tps = window.main, measured.figures.get("tps")
    if main is None or main.seconds <= 0 or not tps or measured.kind != "threads":
        return None
    return Measure(WATCHED, "%", 100 * main.transactions / main.seconds / tps)
