"""The section on TPC-C: the engine, tpcc-mysql and sysbench-tpcc, under load and loading."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from benchmarks import tpcc
from benchmarks.fetched import Fetched
from benchmarks.rounds import Cell
from benchmarks.rows import Line
from benchmarks.section import Section
from benchmarks.servers import Servers
from benchmarks.settings import Settings
from benchmarks.spread import at_least, at_most

_C, _LUA = tpcc.TPCC_MYSQL.name, tpcc.SYSBENCH_TPCC.name
_TOOL = f"dialect tpcc-mysql, {tpcc.CONNECTIONS}"
_SPEC = f"dialect spec, {tpcc.CONNECTIONS}"
_LOAD = "load"
_NEEDS: dict[str, Fetched] = {_TOOL: tpcc.TPCC_MYSQL, _SPEC: tpcc.SYSBENCH_TPCC, _LOAD: tpcc.TPCC_MYSQL}


def cells(settings: Settings, servers: Servers) -> Sequence[Cell]:
    """Returns the cells whose peer is there."""
    houses = tpcc.houses(servers, settings.warehouses)
    seconds = settings.cost_seconds
    tool = {
        "ours": partial(tpcc.ours, houses, "tpcc-mysql", seconds),
        _C: partial(tpcc.tpcc_mysql, houses, seconds),
    }
    spec = {
        "ours": partial(tpcc.ours, houses, "spec", seconds, warm_up_s=0),
        _LUA: partial(tpcc.sysbench_tpcc, houses, seconds),
    }
    load = {
        "ours": partial(tpcc.ours_load, houses, "tpcc-mysql"),
        _C: partial(tpcc.tpcc_mysql_load, houses),
    }
    made = [
        Cell(_TOOL, tool, 2 * seconds + 3),
        Cell(_SPEC, spec, 2 * seconds + 1),
        Cell(_LOAD, load, 40 * settings.warehouses),
    ]
    return [cell for cell in made if _NEEDS[cell.name].missing() is None]


def missing() -> list[str]:
    """Returns the cells without a peer, with the reason."""
    said = {cell: peer.missing() for cell, peer in _NEEDS.items()}
    return [f"{cell}: {sentence}" for cell, sentence in said.items() if sentence is not None]


_LINES = (
    *(
        line
        for cell, rate, peer in ((_TOOL, "orders_per_min", _C), (_SPEC, "committed_per_min", _LUA))
        for line in (
            Line(cell, rate, "New-Orders/min", {peer: at_least(0.95)}),
            Line(cell, "cpu_us_per_order", "CPU us/New-Order", {peer: at_most(0.5)}),
            Line(cell, "server_us_per_order", "server's CPU us/New-Order", {peer: None}),
        )
    ),
    Line(_LOAD, "warehouses_per_min", "warehouses/min", {_C: at_least(3.0)}),
    Line(_LOAD, "cpu_s_per_warehouse", "CPU s/warehouse, server and loader", {_C: None}),
)


SECTION = Section(
    name="tpcc",
    title="TPC-C: New-Orders of the same server",
    note="One server, a database of the same size for each contestant, made by its own loader, with its "
    "indexes and foreign keys; unix socket (the load: TCP); no keying or think times. CPU is that of the "
    "whole generator process over the New-Orders that its tables gained, and has the other four kinds of "
    "transactions in it. Beside tpcc-mysql each counts its own window, after a second of load; sysbench-"
    "tpcc counts no New-Orders: there the tables count for both. Dialect spec does work that sysbench-"
    "tpcc leaves out. The load of tpcc-mysql is its four parts side by side, as its load.sh starts them, "
    "then its indexes and foreign keys.",
    cells=cells,
    lines=_LINES,
    missing=missing,
)
