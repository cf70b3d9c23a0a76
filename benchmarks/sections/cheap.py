"""The section on the resources that the engine takes from the machine it shares with the server."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace

from benchmarks import engine, peer
from benchmarks.load import Endpoint, Load
from benchmarks.rounds import Cell, Contestant
from benchmarks.rows import Figures, Line
from benchmarks.section import Section, near_one
from benchmarks.sections.duel import bare, duel, duration_s
from benchmarks.servers import Servers
from benchmarks.settings import Settings
from benchmarks.spread import Target, at_least, at_most

_CPU = "CPU us/query"
_THREADS = "floor, threads"

_COSTS: Mapping[tuple[str, int], Mapping[str, Target | None]] = {
    ("oltp_point_select", 16): {"floor": None, "sysbench": at_most(0.60), _THREADS: None},
    ("oltp_point_select", 64): {
        "floor": at_most(1.35),
        "sysbench": at_most(0.55),
        _THREADS: at_most(1.05),
    },
    ("oltp_point_select", 1024): {
        "floor": at_most(1.5),
        "sysbench": at_most(0.30),
        _THREADS: at_most(1.10),
    },
    ("oltp_read_only", 64): {"floor": None, "sysbench": at_most(0.45), _THREADS: None},
    ("oltp_read_write", 64): {"floor": None, "sysbench": at_most(0.35), _THREADS: at_most(1.12)},
    ("oltp_read_write", 1024): {"floor": None, "sysbench": at_most(0.15), _THREADS: at_most(1.2)},
}
"""The loads whose CPU per query is compared, with their targets."""
_NULL = {64: "point_select, 64, null server", 1024: "point_select, 1024, null server"}
_START = "start 1024 connections, prepare, one transaction each"
_MANY = "10 000 connections, null server"
_OPEN = "open loop at 10 000/s, point_select, 64"
_LOAD = "load 1 table and its secondary index"


def cells(settings: Settings, servers: Servers) -> Sequence[Cell]:
    """Returns the cells of the cost table."""
    made = []
    for workload, connections in _COSTS:
        load = settings.load(workload, connections, settings.cost_seconds)
        floors = {"floor": bare(load, 1.0), _THREADS: bare(load, 1.0, "threads")}
        made.append(Cell(load.title, {**duel(load, servers.real), **floors}, 2 * duration_s(load) + 4))
    for connections, name in _NULL.items():
        load = Load("oltp_point_select", connections, settings.cost_seconds)
        both = duel(load, servers.null)
        made.append(Cell(name, {**both, "floor": bare(load, 1.0)}, 2 * duration_s(load) + 2))
    start = settings.load("oltp_read_write", 1024, transactions=1024)
    many = Load("oltp_point_select", 10_000, settings.seconds)
    paced = settings.load("oltp_point_select", 64, settings.cost_seconds, rate=10_000)
    return [
        *made,
        Cell(_START, duel(start, servers.real), 8),
        Cell(_MANY, {"ours": lambda: engine.run(many, servers.null())}, settings.seconds + 4),
        Cell(_OPEN, duel(paced, servers.real), 2 * duration_s(paced)),
        Cell(_LOAD, _loaders(settings, servers), settings.load_rows / 40_000),
    ]


def _loaders(settings: Settings, servers: Servers) -> dict[str, Contestant]:
    load = Load("oltp_read_write", 1, tables=1, table_size=settings.load_rows)

    def loader(prepare: Callable[[Load, Endpoint], Figures]) -> Contestant:
        def once() -> Figures:
            endpoint = replace(servers.real(), database="assay_load")
            with closing(servers.admin()) as admin, admin.cursor() as cursor:
                cursor.execute("DROP DATABASE IF EXISTS assay_load")
                cursor.execute("CREATE DATABASE assay_load")
                try:
                    return prepare(load, endpoint)
                finally:
                    cursor.execute("DROP DATABASE IF EXISTS assay_load")

        return once

    return {"ours": loader(engine.prepare), "sysbench": loader(peer.prepare)}


_LINES = (
    *(Line(Load(*load).title, "cpu_us_per_query", _CPU, against) for load, against in _COSTS.items()),
    Line(_NULL[1024], "qps", "queries/s", {"sysbench": at_least(4.0)}),
    Line(_NULL[1024], "cpu_us_per_query", _CPU, {"floor": at_most(1.15), "sysbench": None}),
    Line(_NULL[64], "cpu_us_per_query", _CPU, {"floor": at_most(1.12), "sysbench": None}),
    Line(_START, "wall_s", "wall s", {"sysbench": at_most(0.5)}),
    Line("read_write, 1024", "rss_mb", "peak memory MB", {"sysbench": None}, at_most(40.0), "MB"),
    Line(_MANY, "rss_mb", "peak memory MB", {}, at_most(300.0), "MB"),
    Line(_MANY, "fairness", "slowest / mean", {}, at_least(0.5), "of the mean"),
    Line(_MANY, "qps", "queries/s"),
    Line(_OPEN, "cpu_us_per_query", _CPU, {"sysbench": at_most(0.55)}),
    Line(_OPEN, "qps", "achieved queries/s", {"sysbench": None}),
    Line(_LOAD, "wall_s", "wall s", {"sysbench": at_most(0.5)}),
)


SECTION = Section(
    name="cheap",
    title="Cheap: what the generator takes from the machine it shares with the server",
    note="Unix socket, prepared statements. CPU is user and system time of the whole generator process, "
    "login and preparing included, over its queries; the floor is the ping-pong's client, in the same "
    "pair. A real server has a thread for each connection: whoever sends to it wakes a sleeping thread, and "
    "is woken for a few replies at a time. 'floor, threads' is the same bare client against such a server, "
    "which does nothing else; what it takes above the floor is the kernel's, whoever asks. The null server's "
    "lines compare with the floor like with like.",
    cells=cells,
    lines=_LINES,
    rounds=near_one,
)
