"""The section on throughput with a real server on a shared machine, where a cheaper generator leaves it
more.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from benchmarks.rounds import Cell
from benchmarks.rows import Line
from benchmarks.section import Section
from benchmarks.sections.duel import duel, duration_s
from benchmarks.servers import Servers
from benchmarks.settings import Settings
from benchmarks.spread import not_below

_WORKLOADS = ("oltp_point_select", "oltp_read_only", "oltp_read_write")
_WAYS = tuple(product(("unix", "tcp"), (True, False)))
_ALL = tuple(product(_WORKLOADS, (1, 16, 64, 256, 1024), _WAYS))
_QUICK = tuple(
    (workload, connections, way)
    for workload, way in (("oltp_point_select", ("unix", True)), ("oltp_read_write", ("tcp", False)))
    for connections in (1, 16, 256)
)


def cells(settings: Settings, servers: Servers) -> Sequence[Cell]:
    """Returns all 60 cells; a quick bench takes a tenth of them."""
    loads = [
        settings.load(workload, connections, settings.seconds, transport=transport, prepared=prepared)
        for workload, connections, (transport, prepared) in (_QUICK if settings.quick else _ALL)
    ]
    return [Cell(load.title, duel(load, servers.real), 2 * duration_s(load)) for load in loads]


SECTION = Section(
    name="grid",
    title="Throughput: queries per second that the same server gives each of them",
    note="The same server with the same tables, on the same processors as the generator. A median below 1 "
    "counts as within noise as long as one pair is not. Rates are each generator's own, of its measured "
    "window, which leaves the logins out in both. Foreign load gives more of the machine to whoever has more "
    "threads: read this table only where others took next to nothing.",
    cells=cells,
    lines=[Line("", "qps", "queries/s", {"sysbench": not_below(1.0)})],
)
