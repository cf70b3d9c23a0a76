"""The section on today's engine beside that of an earlier commit, without Python and without sysbench."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from assay.system.engine.binary import find_engine

from benchmarks import engine, kept
from benchmarks.load import Endpoint, Load
from benchmarks.rounds import Cell
from benchmarks.rows import Figures, Line
from benchmarks.section import Section, near_one
from benchmarks.sections.duel import duration_s
from benchmarks.servers import Servers
from benchmarks.settings import Settings
from benchmarks.spread import at_most, not_below

_REAL, _NULL = "", ", null server"
_CELLS = (
    *(("oltp_point_select", connections, _REAL) for connections in (16, 64, 1024)),
    *(("oltp_read_write", connections, _REAL) for connections in (16, 64, 1024)),
    ("oltp_point_select", 64, _NULL),
    ("oltp_point_select", 1024, _NULL),
    ("oltp_read_write", 64, _NULL),
)
_WINDOW_S = 2  # nine pairs of nine cells in about ten minutes
_KEPT = "kept"


def cells(settings: Settings, servers: Servers) -> Sequence[Cell]:
    """Returns a cell for each load on the real server and on the null server."""
    made = []
    for name, connections, which in _CELLS:
        load = settings.load(name, connections, min(settings.seconds, _WINDOW_S))
        endpoint = servers.real if which == _REAL else servers.null
        contestants = {
            "ours": partial(_once, load, endpoint, find_engine),
            _KEPT: partial(_once, load, endpoint, kept.kept_engine),
        }
        made.append(Cell(load.title + which, contestants, 2 * duration_s(load)))
    return made


def _once(load: Load, endpoint: Callable[[], Endpoint], program: Callable[[], Path]) -> Figures:
    return engine.lean(load, endpoint(), program())


_LINES = tuple(
    line
    for name, connections, which in _CELLS
    for cell in (Load(name, connections).title + which,)
    for line in (
        Line(cell, "cpu_us_per_query", "CPU us/query", {_KEPT: at_most(0.95 if which == _REAL else 1.0)}),
        Line(cell, "qps", "queries/s", {_KEPT: not_below(1.0)}),
    )
)


SECTION = Section(
    name="native",
    title=f"Native: today's engine beside that of {kept.COMMIT}",
    note="The same jobs through the same socket, prepared statements; both are built with a profile of their "
    "own hot path. CPU is user and system time of the whole process, over its queries. What the null server "
    "alone sees is no gain: each of its lines has the real server's beside it.",
    cells=cells,
    lines=_LINES,
    rounds=near_one,
    peer=kept.version,
)
