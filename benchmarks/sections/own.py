"""The section on a person's own statements: the transactions of two workloads, written as SQL, beside the
workloads themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from benchmarks import engine
from benchmarks.load import Endpoint, Load
from benchmarks.rounds import Cell
from benchmarks.rows import Figures, Line
from benchmarks.section import Section, near_one
from benchmarks.sections.duel import duration_s
from benchmarks.servers import Servers
from benchmarks.settings import Settings
from benchmarks.spread import at_most, not_below

_FILES = Path(__file__).parent.parent / "statements"
_REAL, _NULL = "", ", null server"
_CELLS = (
    ("oltp_point_select", 16, _REAL),
    ("oltp_read_write", 16, _REAL),
    ("oltp_point_select", 64, _NULL),
    ("oltp_read_write", 64, _NULL),
)
_BUILT_IN = "built in"


def as_statements(load: Load) -> Load:
    """Returns the same load as a file of statements."""
    name = f"sql:{_FILES / load.workload}.sql"
    return replace(load, workload=name, options={"size": load.table_size})


def uniform(load: Load) -> Load:
    """Returns the load of the workload itself, on one table and with the same law of its draws."""
    return replace(load, options={"tables": 1, "table_size": load.table_size, "rand_type": "uniform"})


def cells(settings: Settings, servers: Servers) -> Sequence[Cell]:
    """Returns a cell for each workload on the real server and on the null server."""
    made = []
    for name, connections, which in _CELLS:
        load = settings.load(name, connections, settings.cost_seconds)
        endpoint = servers.real if which == _REAL else servers.null
        contestants = {
            "ours": partial(_once, as_statements(load), endpoint),
            _BUILT_IN: partial(_once, uniform(load), endpoint),
        }
        made.append(Cell(load.title + which, contestants, 2 * duration_s(load)))
    return made


def _once(load: Load, endpoint: Callable[[], Endpoint]) -> Figures:
    return engine.run(load, endpoint())


_LINES = tuple(
    line
    for name, connections, which in _CELLS
    for cell in (Load(name, connections).title + which,)
    for line in (
        Line(cell, "cpu_us_per_query", "CPU us/query", {_BUILT_IN: at_most(1.10)}),
        Line(cell, "tps", "transactions/s", {_BUILT_IN: not_below(0.98) if which == _REAL else None}),
    )
)


SECTION = Section(
    name="own",
    title="Own statements: a workload written as SQL beside the workload itself",
    note="The files are those of `benchmarks/statements`; both send the same statements to one table, "
    "with draws that are alike often. The range queries say `:low + 99` for their end, as SQL can.",
    cells=cells,
    lines=_LINES,
    rounds=near_one,
    peer=lambda: "the engine's own workloads",
)
