"""The section on the gain from a second event loop."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import product

from benchmarks import engine
from benchmarks.load import Load
from benchmarks.rounds import Cell
from benchmarks.rows import Figures, Line
from benchmarks.section import Section
from benchmarks.servers import Servers
from benchmarks.settings import Settings

_ONE, _TWO = "1 thread", "2 threads"


def cells(settings: Settings, servers: Servers) -> Sequence[Cell]:
    """Returns one and two engine threads, against a null server with one and two."""

    def run(connections: int, threads: int, null_threads: int) -> Figures:
        load = Load("oltp_point_select", connections, settings.seconds, engine_threads=threads)
        return engine.run(load, servers.null("--threads", str(null_threads)))

    return [
        Cell(
            f"point_select, {connections}, null server with {nulls}",
            {_ONE: partial(run, connections, 1, nulls), _TWO: partial(run, connections, 2, nulls)},
            2 * settings.seconds + 1,
        )
        for nulls, connections in product((1, 2), (64, 1024))
    ]


_LINES = (
    Line("", "qps", "queries/s", {_ONE: None}, mine=_TWO),
    Line("", "cpu_us_per_query", "CPU us/query", {_ONE: None}, mine=_TWO),
)


SECTION = Section(
    name="scaling",
    title="Scaling: one and two engine threads",
    note="Generator and null server share this machine's processors. Where there are only two, a second "
    "thread of either takes its processor from the other, and no gain can be seen: then these lines show "
    "what a second thread costs: with a shared hot line, CPU per query would grow.",
    cells=cells,
    lines=_LINES,
)
