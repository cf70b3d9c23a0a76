"""The section on Lua scripts: those of Debian's sysbench package, run by the engine and by sysbench."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks import engine, peer
from benchmarks.load import Endpoint, Load
from benchmarks.rounds import Cell, Contestant
from benchmarks.rows import Line, Row, Samples, rows_of
from benchmarks.section import Section
from benchmarks.sections.duel import duration_s
from benchmarks.servers import Servers
from benchmarks.settings import Settings
from benchmarks.spread import Target, at_most, not_below

_FOLDER = Path("/usr/share/sysbench")
_SCRIPTS = ("oltp_point_select", "oltp_read_write")
_CONNECTIONS = (1, 16, 64, 256, 1024)
_QUICK_CONNECTIONS = (1, 64, 1024)


@dataclass(frozen=True)
class _Targets:
    """What a script may cost beside sysbench, at a number of connections."""

    cpu: Target | None = None
    memory: Target | None = None


_TARGETS: Mapping[int, _Targets] = {
    64: _Targets(cpu=at_most(0.8)),
    1024: _Targets(cpu=at_most(0.4), memory=at_most(0.5)),
}


def _name(script: str, connections: int) -> str:
    return f"{script}.lua, {connections}"


def cells(settings: Settings, servers: Servers) -> Sequence[Cell]:
    """Returns a cell for each script and number of connections; a quick bench has fewer of the latter."""
    made = []
    for script in _SCRIPTS:
        for connections in _QUICK_CONNECTIONS if settings.quick else _CONNECTIONS:
            load = Load(
                str(_FOLDER / f"{script}.lua"),
                connections,
                settings.cost_seconds,
                tables=settings.tables,
                table_size=settings.table_size,
            )
            name = _name(script, connections)
            made.append(Cell(name, _both(load, servers.real), 2 * duration_s(load) + connections * 0.004))
    return made


def _both(load: Load, endpoint: Callable[[], Endpoint]) -> dict[str, Contestant]:
    ours = replace(load, workload=f"lua:{load.workload}")
    return {
        "ours": lambda: engine.run(ours, endpoint()),
        "sysbench": lambda: peer.run(load, endpoint()),
    }


def _lines() -> list[Line]:
    made = []
    for script in _SCRIPTS:
        for connections in _CONNECTIONS:
            name, targets = _name(script, connections), _TARGETS.get(connections, _Targets())
            made += [
                Line(name, "qps", "queries/s", {"sysbench": not_below(1.0)}),
                Line(name, "cpu_us_per_query", "CPU us/query", {"sysbench": targets.cpu}),
                Line(name, "rss_mb", "peak memory MB", {"sysbench": targets.memory}),
            ]
    return made


def rows(samples: Sequence[Samples]) -> list[Row]:
    """Returns the rate, the cost and the memory of every cell that was measured."""
    return rows_of(_lines(), samples)


SECTION = Section(
    name="scripts",
    title="Lua scripts: sysbench's own, run by both",
    note="The files of the sysbench package, unmodified, in the engine and in sysbench: unix socket, "
    "prepared statements, the same server and tables. CPU is user and system time of the whole process over "
    "its queries, loading and compiling the script in every thread included: with 1024 threads and a short "
    "run that is a large part in both.",
    cells=cells,
    rows=rows,
)
