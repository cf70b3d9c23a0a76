"""The section on the gain from a second event loop."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from benchmarks import engine
from benchmarks.load import Endpoint, Load
from benchmarks.rounds import Cell
from benchmarks.rows import Check, Figures, Row, Samples, check
from benchmarks.section import Section
from benchmarks.servers import Servers
from benchmarks.settings import Settings

_ONE, _TWO = "1 thread", "2 threads"


def cells(settings: Settings, servers: Servers) -> Sequence[Cell]:
    """Returns one and two engine threads, against a null server with one and two."""

    def run(load: Load, null_threads: int) -> Figures:
        endpoint: Endpoint = servers.null("--threads", str(null_threads))
        return engine.run(load, endpoint)

    made = []
    for null_threads in (1, 2):
        for connections in (64, 1024):
            contestants = {
                name: partial(
                    run,
                    Load("oltp_point_select", connections, settings.seconds, engine_threads=threads),
                    null_threads,
                )
                for name, threads in ((_ONE, 1), (_TWO, 2))
            }
            made.append(
                Cell(
                    f"point_select, {connections}, null server with {null_threads}",
                    contestants,
                    2 * settings.seconds + 1,
                )
            )
    return made


def rows(samples: Sequence[Samples]) -> list[Row]:
    """Returns rates and costs of two threads relative to one."""
    made = []
    for sample in samples:
        for figure, title in (("qps", "queries/s"), ("cpu_us_per_query", "CPU us/query")):
            checks: list[Check] = [check(f"x {_ONE}", sample.paired(_TWO, _ONE, figure))]
            medians = {name: sample.median(name, figure) for name in (_ONE, _TWO)}
            made.append(Row(sample.cell, title, medians, checks, sample.conditions))
    return made


SECTION = Section(
    name="scaling",
    title="Scaling: one and two engine threads",
    note="Generator and null server share this machine's processors. Where there are only two, a second "
    "thread of either takes its processor from the other, and no gain can be seen: then these lines show "
    "what a second thread costs: with a shared hot line, CPU per query would grow.",
    cells=cells,
    rows=rows,
)
