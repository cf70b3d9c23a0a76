"""Makes rows of what was watched after a measured window: sources, frames of the call tree, the effect of
watching.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.design.folder import ProfileWindow
from assay.results.ledger import MeasuredLoad, WatchedLoad
from assay.results.store.measures import Measure

WATCHED = {"main": "watched_tps_pct", "tail": "recorded_tps_pct", "counting": "counted_tps_pct"}
"""The measures of the effect of watching, by stretch of the profile window: its throughput in percent of the
measured one, while stacks are sampled, while context switches are recorded, and while the server counts.
"""

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


def watched_measures(window: ProfileWindow, measured: MeasuredLoad) -> Iterator[Measure]:
    """Yields the throughput of each stretch of a watched load in percent of the measured one; nothing in an
    open loop, whose throughput is its rate, and where either is not known.
    """
    tps = measured.figures.get("tps")
    if not tps or measured.kind != "threads":
        return
    for name, stretch in (("main", window.main), ("tail", window.tail), ("counting", window.counting)):
        if stretch is not None and stretch.seconds > 0 and not (stretch.cut and name != "main"):
            yield Measure(WATCHED[name], "%", 100 * stretch.transactions / stretch.seconds / tps)
