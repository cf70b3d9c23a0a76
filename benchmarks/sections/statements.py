"""The section that checks that both generators send the same statements, by Com_* counters per
transaction.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import product

from benchmarks import engine, peer
from benchmarks.load import Endpoint, Load
from benchmarks.rounds import Cell, Contestant
from benchmarks.rows import Figures, Made, Row, Samples, check, row, some
from benchmarks.section import Section
from benchmarks.servers import Servers
from benchmarks.settings import Settings
from benchmarks.spread import at_most

# Prepared or not, these count executed statements.
_COUNTED = ("begin", "commit", "delete", "insert", "rollback", "select", "stmt_execute", "update")
_WORKLOADS = (
    *(f"oltp_{name}" for name in ("point_select", "read_only", "read_write", "write_only")),
    *(f"oltp_{name}" for name in ("update_index", "update_non_index", "insert", "delete")),
    *("select_random_points", "select_random_ranges"),
)
_EVENTS = 300
_TOLERANCE = 0.001


def cells(settings: Settings, servers: Servers) -> Sequence[Cell]:
    """Returns every workload, prepared and as text, with one connection, so that nothing is retried."""
    loads = [
        settings.load(workload, 1, transactions=_EVENTS, prepared=prepared, tables=1)
        for prepared, workload in product((True, False), _WORKLOADS)
    ]
    return [
        Cell(
            load.title,
            {"ours": _counting(engine.run, load, servers), "sysbench": _counting(peer.run, load, servers)},
            1.0,
        )
        for load in loads
    ]


def _counting(run: Callable[[Load, Endpoint], Figures], load: Load, servers: Servers) -> Contestant:
    def once() -> Figures:
        endpoint = servers.real()
        run(load, endpoint)  # the first asks more, once: what a transaction asks (`engine.of_each`)
        before = _com(servers)
        short = run(load, endpoint)["events"]
        between = _com(servers)
        events = run(replace(load, transactions=2 * _EVENTS), endpoint)["events"] - short
        after = _com(servers)
        return {f"com_{name}": (after[name] - 2 * between[name] + before[name]) / events for name in _COUNTED}

    return once


def _com(servers: Servers) -> dict[str, float]:
    with closing(servers.admin()) as admin, admin.cursor() as cursor:
        cursor.execute("SHOW GLOBAL STATUS LIKE 'Com\\_%'")
        return {name.removeprefix("Com_"): float(value) for name, value in cursor.fetchall()}


def largest_gap(mine: Figures, theirs: Figures) -> float:
    """Returns the largest relative difference of a counter; one that only one of them moves is a gap of 1."""
    counted = [(mine.get(name, 0.0), theirs.get(name, 0.0)) for name in mine.keys() | theirs.keys()]
    gaps = [abs(a - b) / max(a, b) for a, b in counted if max(a, b) > 0]
    return max(gaps, default=0.0)


def _row(sample: Samples) -> Row:
    gaps = [largest_gap(mine, theirs) for mine, theirs in sample.both("ours", "sysbench")]
    sums = {
        name: sum(filter(None, (sample.median(name, f"com_{com}") for com in _COUNTED)))
        for name in sample.by_contestant
    }
    return row(sample, "Com_* by transaction", sums, [check("largest gap", some(gaps), at_most(_TOLERANCE))])


SECTION = Section(
    name="statements",
    title="Statements: both ask the same of the server",
    note=f"Com_* counters of the server by transaction, on one connection; sums are shown. It is what "
    f"{2 * _EVENTS} transactions ask over what {_EVENTS} ask, so that set-up cancels out. The largest "
    "relative difference of any counter must be within 0.1 %.",
    cells=cells,
    lines=[Made("", _row)],
    rounds=lambda _pairs: 1,
)
