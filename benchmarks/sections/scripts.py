"""The section on Lua scripts: those of Debian's sysbench package, run by the engine and by sysbench."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.rounds import Cell
from benchmarks.rows import Line
from benchmarks.section import Section
from benchmarks.sections.duel import duel, duration_s
from benchmarks.servers import Servers
from benchmarks.settings import Settings
from benchmarks.spread import at_most, not_below

_FOLDER = Path("/usr/share/sysbench")
_SCRIPTS = ("oltp_point_select", "oltp_read_write")
_CONNECTIONS = (1, 16, 64, 256, 1024)
_QUICK_CONNECTIONS = (1, 64, 1024)
_CPU = {64: at_most(0.8), 1024: at_most(0.4)}
_MEMORY = {1024: at_most(0.5)}
"""What a script may cost beside sysbench, by the number of connections."""


def _name(script: str, connections: int) -> str:
    return f"{script}.lua, {connections}"


def cells(settings: Settings, servers: Servers) -> Sequence[Cell]:
    """Returns a cell for each script and number of connections; a quick bench has fewer of the latter."""
    made = []
    for script in _SCRIPTS:
        for connections in _QUICK_CONNECTIONS if settings.quick else _CONNECTIONS:
            load = settings.load(str(_FOLDER / f"{script}.lua"), connections, settings.cost_seconds)
            both = duel(load, servers.real, ours=replace(load, workload=f"lua:{load.workload}"))
            seconds = 2 * duration_s(load) + connections * 0.004
            made.append(Cell(_name(script, connections), both, seconds))
    return made


_LINES = tuple(
    line
    for script in _SCRIPTS
    for connections in _CONNECTIONS
    for name in (_name(script, connections),)
    for line in (
        Line(name, "qps", "queries/s", {"sysbench": not_below(1.0)}),
        Line(name, "cpu_us_per_query", "CPU us/query", {"sysbench": _CPU.get(connections)}),
        Line(name, "rss_mb", "peak memory MB", {"sysbench": _MEMORY.get(connections)}),
    )
)


SECTION = Section(
    name="scripts",
    title="Lua scripts: sysbench's own, run by both",
    note="The files of the sysbench package, unmodified, in the engine and in sysbench: unix socket, "
    "prepared statements, the same server and tables. CPU is user and system time of the whole process over "
    "its queries, loading and compiling the script in every thread included: with 1024 threads and a short "
    "run that is a large part in both.",
    cells=cells,
    lines=_LINES,
)
