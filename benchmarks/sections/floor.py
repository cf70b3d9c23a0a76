"""The section on the kernel's own cost of a round trip of these sizes, whatever the client."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from benchmarks import pingpong
from benchmarks.rounds import Cell
from benchmarks.rows import Line
from benchmarks.section import Section
from benchmarks.servers import Servers
from benchmarks.settings import Settings

_LOADS = (
    *(("oltp_point_select", connections, "unix") for connections in (1, 64, 1024)),
    *(("oltp_point_select", connections, "tcp") for connections in (1, 64, 1024)),
    ("oltp_read_only", 64, "unix"),
    ("oltp_read_write", 64, "unix"),
    ("oltp_read_write", 1024, "unix"),
)
_SERVERS = {"floor": "loop", "floor, threads": "threads"}


def cells(settings: Settings, servers: Servers) -> Sequence[Cell]:
    """Returns point selects on both transports, and a transaction's mix of messages on the unix socket."""
    seconds = settings.seconds / 2
    return [
        Cell(
            f"{load[0].removeprefix('oltp_')}, {load[1]}, {load[2]}",
            {name: partial(pingpong.run, *load, seconds, server) for name, server in _SERVERS.items()},
            seconds * 2.6,
        )
        for load in _LOADS
    ]


SECTION = Section(
    name="floor",
    title="The floor: a bare epoll ping-pong of the same message sizes",
    note="One client thread and one server thread, one request in flight on every connection. The client "
    "only receives and sends; its CPU time is the kernel's socket path. A mean over the messages of a "
    "transaction where a workload sends several kinds. 'floor, threads' has a thread for each connection on "
    "the server's side, as MySQL and MariaDB have. Foreign load on the machine makes the floor batch, and "
    "halves it.",
    cells=cells,
    lines=[Line("", "cpu_us_per_query", "client CPU us/round trip")],
)
