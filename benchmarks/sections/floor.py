"""The section on the kernel's own cost of a round trip of these sizes, whatever the client."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from benchmarks import pingpong
from benchmarks.rounds import Cell, Contestant
from benchmarks.rows import Row, Samples, row
from benchmarks.section import Section
from benchmarks.servers import Servers
from benchmarks.settings import Settings


def cells(settings: Settings, servers: Servers) -> Sequence[Cell]:
    """Returns point selects on both transports, and a transaction's mix of messages on the unix socket."""
    seconds = settings.seconds / 2

    def pingpongs(workload: str, connections: int, transport: str) -> dict[str, Contestant]:
        return {
            name: partial(pingpong.run, workload, connections, transport, seconds, server)
            for name, server in (("floor", "loop"), ("floor, threads", "threads"))
        }

    wanted = [
        ("oltp_point_select", connections, transport)
        for transport in ("unix", "tcp")
        for connections in (1, 64, 1024)
    ]
    wanted += [
        ("oltp_read_only", 64, "unix"),
        ("oltp_read_write", 64, "unix"),
        ("oltp_read_write", 1024, "unix"),
    ]
    return [
        Cell(
            f"{workload.removeprefix('oltp_')}, {connections}, {transport}",
            pingpongs(workload, connections, transport),
            seconds * 2.6,
        )
        for workload, connections, transport in wanted
    ]


def rows(samples: Sequence[Samples]) -> list[Row]:
    return [row(sample, "cpu_us_per_query", "client CPU us/round trip", {}) for sample in samples]


SECTION = Section(
    name="floor",
    title="The floor: a bare epoll ping-pong of the same message sizes",
    note="One client thread and one server thread, one request in flight on every connection. The client "
    "only receives and sends; its CPU time is the kernel's socket path. A mean over the messages of a "
    "transaction where a workload sends several kinds. 'floor, threads' has a thread for each connection on "
    "the server's side, as MySQL and MariaDB have. Foreign load on the machine makes the floor batch, and "
    "halves it.",
    cells=cells,
    rows=rows,
)
