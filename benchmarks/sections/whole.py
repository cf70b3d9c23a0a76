"""The section on the whole command as a person runs it, from its start to its end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchmarks import engine, peer, tool
from benchmarks.load import Load
from benchmarks.rounds import Cell
from benchmarks.rows import Line
from benchmarks.section import Section
from benchmarks.servers import Servers
from benchmarks.settings import Settings
from benchmarks.spread import Target, at_most

_HELP, _ONE = "help of a workload", "one transaction"
_ENGINE = "engine alone"
_LOADS = (("oltp_point_select", 1), ("oltp_point_select", 64), ("oltp_read_write", 64))


def cells(settings: Settings, servers: Servers) -> Sequence[Cell]:
    """Returns the command's help, the shortest measurement, and some of the usual length."""
    helps = {
        "ours": lambda: tool.help_of("oltp_read_write"),
        "sysbench": lambda: peer.help_of("oltp_read_write"),
    }
    made = [
        Cell(_HELP, helps, 1),
        _cell(_ONE, settings.load("oltp_point_select", 1, transactions=1), servers, 3),
    ]
    for workload, connections in _LOADS:
        load = settings.load(workload, connections, settings.cost_seconds)
        made.append(_cell(load.title, load, servers, 3 * settings.cost_seconds + 3))
    return made


def _cell(name: str, load: Load, servers: Servers, seconds: float) -> Cell:
    return Cell(
        name,
        {
            "ours": lambda: tool.run(load, servers.real()),
            _ENGINE: lambda: engine.run(load, servers.real()),
            "sysbench": lambda: peer.run(load, servers.real()),
        },
        seconds,
    )


_BESIDE: Mapping[str, Target | None] = {_ENGINE: None, "sysbench": None}
_TITLES = tuple(Load(workload, connections).title for workload, connections in _LOADS)
_LINES = (
    Line(_HELP, "cpu_s", "CPU s of all", {"sysbench": None}, at_most(0.2), "s"),
    Line(_HELP, "wall_s", "wall s", {"sysbench": None}),
    Line(_ONE, "cpu_s", "CPU s of all", _BESIDE, at_most(0.4), "s"),
    Line(_ONE, "wall_s", "wall s", _BESIDE),
    *(Line(title, "cpu_s", "CPU s of all", {_ENGINE: None}) for title in _TITLES),
    *(Line(title, "cpu_us_per_query", "CPU us/query of all", _BESIDE) for title in _TITLES),
    Line(_TITLES[-1], "rss_mb", "peak memory MB of the largest process", _BESIDE),
)


SECTION = Section(
    name="whole",
    title="Whole: the tool from its command line to its end",
    note="CPU is user and system time of every process of the command (wait4): for ours the Python that "
    "reads the command line, shows and sums up, and the engine that it starts; beside the engine alone with "
    "the same job, and beside the whole process of sysbench. One transaction shows what starting and ending "
    "costs; over a longer window it is the same amount, and the share of it shrinks.",
    cells=cells,
    lines=_LINES,
)
