"""The section that checks that both generators send the same statements, by Com_* counters per
transaction.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from benchmarks import engine, peer
from benchmarks.load import Endpoint, Load
from benchmarks.rounds import Cell, Contestant
from benchmarks.rows import Check, Figures, Row, Samples, check
from benchmarks.section import Section
from benchmarks.servers import Servers
from benchmarks.settings import Settings
from benchmarks.spread import at_most, spread

# Prepared or not, these count executed statements.
_COUNTED = ("begin", "commit", "delete", "insert", "rollback", "select", "stmt_execute", "update")
_WORKLOADS = (
    "oltp_point_select",
    "oltp_read_only",
    "oltp_read_write",
    "oltp_write_only",
    "oltp_update_index",
    "oltp_update_non_index",
    "oltp_insert",
    "oltp_delete",
    "select_random_points",
    "select_random_ranges",
)
_EVENTS = 300
_TOLERANCE = 0.001


def cells(settings: Settings, servers: Servers) -> Sequence[Cell]:
    """Returns every workload, prepared and as text, with one connection, so that nothing is retried."""
    made = []
    for prepared in (True, False):
        for workload in _WORKLOADS:
            load = Load(
                workload,
                1,
                transactions=_EVENTS,
                prepared=prepared,
                tables=1,
                table_size=settings.table_size,
            )
            contestants = {
                "ours": _counting(engine.run, load, servers),
                "sysbench": _counting(peer.run, load, servers),
            }
            made.append(Cell(load.title, contestants, 1.0))
    return made


def _counting(run: Callable[[Load, Endpoint], Figures], load: Load, servers: Servers) -> Contestant:
    def once() -> Figures:
        endpoint = servers.real()
        before = _com(servers)
        short = run(load, endpoint)["events"]
        between = _com(servers)
        events = run(replace(load, transactions=2 * _EVENTS), endpoint)["events"] - short
        after = _com(servers)
        return {f"com_{name}": (after[name] - 2 * between[name] + before[name]) / events for name in _COUNTED}

    return once


def _com(servers: Servers) -> dict[str, float]:
    admin = servers.admin()
    try:
        with admin.cursor() as cursor:
            cursor.execute("SHOW GLOBAL STATUS LIKE 'Com\\_%'")
            return {name.removeprefix("Com_"): float(value) for name, value in cursor.fetchall()}
    finally:
        admin.close()


def largest_gap(mine: Figures, theirs: Figures) -> float:
    """Returns the largest relative difference of a counter; one that only one of them moves is a gap of 1."""
    counted = [(mine.get(name, 0.0), theirs.get(name, 0.0)) for name in mine.keys() | theirs.keys()]
    gaps = [abs(a - b) / max(a, b) for a, b in counted if max(a, b) > 0]
    return max(gaps, default=0.0)


def rows(samples: Sequence[Samples]) -> list[Row]:
    made = []
    for sample in samples:
        pairs = zip(sample.by_contestant["ours"], sample.by_contestant["sysbench"], strict=True)
        gaps = [largest_gap(a, b) for a, b in pairs if a is not None and b is not None]
        checks: list[Check] = [check("largest gap", spread(gaps) if gaps else None, at_most(_TOLERANCE))]
        total = {
            name: sum(filter(None, (sample.median(name, f"com_{com}") for com in _COUNTED)))
            for name in ("ours", "sysbench")
        }
        note = "; ".join(f"{name} failed: {words}" for name, words in sample.failures.items())
        made.append(
            Row(
                sample.cell,
                "Com_* by transaction",
                total,
                checks,
                sample.conditions,
                note,
            )
        )
    return made


SECTION = Section(
    name="statements",
    title="Statements: both ask the same of the server",
    note=f"Com_* counters of the server by transaction, on one connection; sums are shown. It is what "
    f"{2 * _EVENTS} transactions ask over what {_EVENTS} ask, so that set-up cancels out. The largest "
    "relative difference of any counter must be within 0.1 %.",
    cells=cells,
    rows=rows,
    rounds=lambda _pairs: 1,
)
