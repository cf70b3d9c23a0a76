"""The section on throughput with a real server on a shared machine, where a cheaper generator leaves it
more.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from benchmarks.load import Load
from benchmarks.rounds import Cell
from benchmarks.rows import Row, Samples, row
from benchmarks.section import Section
from benchmarks.sections.duel import duel, duration_s
from benchmarks.servers import Servers
from benchmarks.settings import Settings
from benchmarks.spread import not_below

_WORKLOADS = ("oltp_point_select", "oltp_read_only", "oltp_read_write")
_CONNECTIONS = (1, 16, 64, 256, 1024)
_QUICK_CONNECTIONS = (1, 16, 256)


def cells(settings: Settings, servers: Servers) -> Sequence[Cell]:
    """Returns all 60 cells; a quick bench takes a tenth of them."""
    loads = [
        Load(
            workload,
            connections,
            settings.seconds,
            transport=transport,
            prepared=prepared,
            tables=settings.tables,
            table_size=settings.table_size,
        )
        for workload, connections, transport, prepared in product(
            _WORKLOADS, _CONNECTIONS, ("unix", "tcp"), (True, False)
        )
    ]
    if settings.quick:
        loads = [
            load
            for load in loads
            if load.connections in _QUICK_CONNECTIONS
            and (load.workload, load.transport, load.prepared)
            in {("oltp_point_select", "unix", True), ("oltp_read_write", "tcp", False)}
        ]
    return [Cell(load.title, duel(load, servers.real), 2 * duration_s(load)) for load in loads]


def rows(samples: Sequence[Samples]) -> list[Row]:
    return [row(sample, "qps", "queries/s", {"sysbench": not_below(1.0)}) for sample in samples]


SECTION = Section(
    name="grid",
    title="Throughput: queries per second that the same server gives each of them",
    note="The same server with the same tables, on the same processors as the generator. A median below 1 "
    "counts as within noise as long as one pair is not. Rates are each generator's own, of its measured "
    "window, which leaves the logins out in both. Foreign load gives more of the machine to whoever has more "
    "threads: read this table only where others took next to nothing.",
    cells=cells,
    rows=rows,
)
