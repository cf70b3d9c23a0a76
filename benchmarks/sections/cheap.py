"""The section on the resources that the engine takes from the machine it shares with the server."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import pymysql

from benchmarks import engine, peer
from benchmarks.load import Endpoint, Load
from benchmarks.rounds import Cell, Contestant
from benchmarks.rows import Figures, Line, Row, Samples, rows_of
from benchmarks.section import Section
from benchmarks.sections.duel import bare, duel, duration_s
from benchmarks.servers import Servers
from benchmarks.settings import Settings
from benchmarks.spread import Target, at_least, at_most

_CPU = "CPU us/query"
_THREADS = "floor, threads"
_THOROUGH = 5  # pairs of a bench that is not a quick one


@dataclass(frozen=True)
class _Cost:
    """A cell whose CPU per query is compared, with its targets."""

    workload: str
    connections: int
    against: Mapping[str, Target | None]


_COSTS = (
    _Cost("oltp_point_select", 16, {"floor": None, "sysbench": at_most(0.60), _THREADS: None}),
    _Cost(
        "oltp_point_select",
        64,
        {"floor": at_most(1.35), "sysbench": at_most(0.55), _THREADS: at_most(1.05)},
    ),
    _Cost(
        "oltp_point_select",
        1024,
        {"floor": at_most(1.5), "sysbench": at_most(0.30), _THREADS: at_most(1.10)},
    ),
    _Cost("oltp_read_only", 64, {"floor": None, "sysbench": at_most(0.45), _THREADS: None}),
    _Cost("oltp_read_write", 64, {"floor": None, "sysbench": at_most(0.35), _THREADS: at_most(1.12)}),
    _Cost("oltp_read_write", 1024, {"floor": None, "sysbench": at_most(0.15), _THREADS: at_most(1.2)}),
)
_NULL_64, _NULL_1024 = "point_select, 64, null server", "point_select, 1024, null server"
_START = "start 1024 connections, prepare, one transaction each"
_MANY = "10 000 connections, null server"
_OPEN = "open loop at 10 000/s, point_select, 64"
_LOAD = "load 1 table and its secondary index"


def cells(settings: Settings, servers: Servers) -> Sequence[Cell]:
    """Returns the cells of the cost table."""
    made = [_cost_cell(cost, settings, servers) for cost in _COSTS]
    for name, connections in ((_NULL_64, 64), (_NULL_1024, 1024)):
        load = Load("oltp_point_select", connections, settings.cost_seconds)
        contestants = {**duel(load, servers.null), "floor": bare(load, 1.0)}
        made.append(Cell(name, contestants, 2 * duration_s(load) + 2))
    start = Load(
        "oltp_read_write",
        1024,
        transactions=1024,
        tables=settings.tables,
        table_size=settings.table_size,
    )
    made.append(Cell(_START, duel(start, servers.real), 8))
    many = Load("oltp_point_select", 10_000, settings.seconds)
    made.append(Cell(_MANY, {"ours": lambda: engine.run(many, servers.null())}, settings.seconds + 4))
    paced = Load(
        "oltp_point_select",
        64,
        settings.cost_seconds,
        rate=10_000,
        tables=settings.tables,
        table_size=settings.table_size,
    )
    made.append(Cell(_OPEN, duel(paced, servers.real), 2 * duration_s(paced)))
    made.append(Cell(_LOAD, _loaders(settings, servers), settings.load_rows / 40_000))
    return made


def _cost_cell(cost: _Cost, settings: Settings, servers: Servers) -> Cell:
    load = Load(
        cost.workload,
        cost.connections,
        settings.cost_seconds,
        tables=settings.tables,
        table_size=settings.table_size,
    )
    contestants: dict[str, Contestant] = {
        **duel(load, servers.real),
        "floor": bare(load, 1.0),
        _THREADS: bare(load, 1.0, "threads"),
    }
    return Cell(load.title, contestants, 2 * duration_s(load) + 4)


def _loaders(settings: Settings, servers: Servers) -> dict[str, Contestant]:
    load = Load("oltp_read_write", 1, tables=1, table_size=settings.load_rows)

    def loader(prepare: Callable[[Load, Endpoint], Figures]) -> Contestant:
        def once() -> Figures:
            real = servers.real()
            admin = servers.admin()
            try:
                _recreate(admin)
                return prepare(load, replace(real, database="assay_load"))
            finally:
                with admin.cursor() as cursor:
                    cursor.execute("DROP DATABASE IF EXISTS assay_load")
                admin.close()

        return once

    return {"ours": loader(engine.prepare), "sysbench": loader(peer.prepare)}


def _recreate(admin: pymysql.Connection[pymysql.cursors.Cursor]) -> None:
    with admin.cursor() as cursor:
        cursor.execute("DROP DATABASE IF EXISTS assay_load")
        cursor.execute("CREATE DATABASE assay_load")


_LINES = (
    *(
        Line(
            Load(c.workload, c.connections).title,
            "cpu_us_per_query",
            _CPU,
            c.against,
        )
        for c in _COSTS
    ),
    Line(_NULL_1024, "qps", "queries/s", {"sysbench": at_least(4.0)}),
    Line(_NULL_1024, "cpu_us_per_query", _CPU, {"floor": at_most(1.15), "sysbench": None}),
    Line(_NULL_64, "cpu_us_per_query", _CPU, {"floor": at_most(1.12), "sysbench": None}),
    Line(_START, "wall_s", "wall s", {"sysbench": at_most(0.5)}),
    Line("read_write, 1024", "rss_mb", "peak memory MB", {"sysbench": None}, at_most(40.0), "MB"),
    Line(_MANY, "rss_mb", "peak memory MB", {}, at_most(300.0), "MB"),
    Line(_MANY, "fairness", "slowest / mean", {}, at_least(0.5), "of the mean"),
    Line(_MANY, "qps", "queries/s", {}),
    Line(_OPEN, "cpu_us_per_query", _CPU, {"sysbench": at_most(0.55)}),
    Line(_OPEN, "qps", "achieved queries/s", {"sysbench": None}),
    Line(_LOAD, "wall_s", "wall s", {"sysbench": at_most(0.5)}),
)


def rows(samples: Sequence[Samples]) -> list[Row]:
    """Returns every line of the table whose cell was measured."""
    return rows_of(_LINES, samples)


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
    rows=rows,
    # A ratio to a bare client is near 1: what it is above is found among swings of the machine of that size.
    rounds=lambda pairs: max(pairs, 9) if pairs >= _THOROUGH else pairs,
)
