"""The section on LinkBench: the engine and the original in Java, under load and loading."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from benchmarks import linkbench
from benchmarks.linkbench_java import LINKBENCH
from benchmarks.rounds import Cell
from benchmarks.rows import Line
from benchmarks.section import Section
from benchmarks.servers import Servers
from benchmarks.settings import Settings
from benchmarks.spread import at_least, at_most

_PEER = LINKBENCH.name
_RUN = f"operations, {linkbench.CONNECTIONS} requesters"
_LOAD = "load"
_START_S = 8


def cells(settings: Settings, servers: Servers) -> Sequence[Cell]:
    """Returns the cells; none without the original."""
    if LINKBENCH.missing() is not None:
        return []
    graphs = linkbench.graphs(servers, settings.ids)
    seconds = settings.cost_seconds
    run_s = linkbench.window_s(seconds) + linkbench.WARM_UP_S + _START_S
    runs = {
        "ours": partial(linkbench.ours, graphs, seconds),
        _PEER: partial(linkbench.original, graphs, seconds),
    }
    loads = {
        "ours": partial(linkbench.ours_load, graphs),
        _PEER: partial(linkbench.original_load, graphs),
    }
    return [Cell(_RUN, runs, 2 * run_s), Cell(_LOAD, loads, 60 + settings.ids / 2_000)]


def missing() -> list[str]:
    """Returns why there are no cells."""
    sentence = LINKBENCH.missing()
    return [] if sentence is None else [sentence]


_LINES = (
    Line(_RUN, "operations_per_s", "operations/s", {_PEER: at_least(1.0)}),
    Line(_RUN, "cpu_us_per_operation", "CPU us/operation", {_PEER: at_most(0.18)}),
    Line(_RUN, "rss_mb", "peak memory MB", {_PEER: None}),
    Line(_LOAD, "links_per_s", "links/s", {_PEER: at_least(1.0)}),
)


SECTION = Section(
    name="linkbench",
    title="LinkBench: operations of the same graph on the same server",
    note="One server, a graph of the same ids and links for each contestant, made by its own loader; TCP, "
    "statements as text, all in memory; ours with compat java, which has the original's slips. Operations "
    "per second are those while all requesters ran, after 5 s of load. CPU is that of the generator process "
    "over all of its operations; from the original's that of its start is taken off: one operation a "
    "requester, with the JVM and the file of distributions. The load is its own seconds of the rows and "
    "those of the secondary index, made afterwards as its README has it.",
    cells=cells,
    lines=_LINES,
    missing=missing,
)
