"""The section on the cost of reporting intervals every second."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from benchmarks import tpcc
from benchmarks.rounds import Cell
from benchmarks.rows import Made, Row, Samples, check, row, some
from benchmarks.section import Section
from benchmarks.servers import Servers
from benchmarks.settings import Settings
from benchmarks.spread import at_most

_RATES = (100, 1000)
"""Transactions a second: few, beside which some 90 histograms an interval are much, and ten times as many."""
_SHARE = at_most(1.0)
_EACH_SECOND, _AT_THE_END = "intervals of 1 s", "one interval"


def _name(rate: int) -> str:
    return f"TPC-C, open loop at {rate}/s, {tpcc.CONNECTIONS}"


def cells(settings: Settings, servers: Servers) -> Sequence[Cell]:
    """Returns a cell for each rate."""
    houses = tpcc.houses(servers, settings.warehouses)
    # An interval costs little: many of them tell it from what the machine does besides.
    seconds = 2 * settings.cost_seconds
    intervals = {_EACH_SECOND: 1, _AT_THE_END: seconds}
    return [
        Cell(
            _name(rate),
            {name: partial(tpcc.telling, houses, rate, seconds, each) for name, each in intervals.items()},
            2 * seconds + 2,
        )
        for rate in _RATES
    ]


def _row(sample: Samples) -> Row:
    medians = {
        name: None if median is None else median * 1e3
        for name, median in sample.medians("beside_loops_s").items()
    }
    bar = check("% of the engine's CPU", some(percents(sample)), _SHARE)
    return row(sample, "CPU ms beside event loops", medians, [bar])


def percents(sample: Samples) -> list[float]:
    """Returns the cost of intervals in per cent of the engine's CPU time, for each pair in which both
    succeeded.
    """
    return [
        100 * (often["beside_loops_s"] - once["beside_loops_s"]) / often["cpu_s"]
        for often, once in sample.both(_EACH_SECOND, _AT_THE_END)
        if often.get("cpu_s")
    ]


SECTION = Section(
    name="export",
    title="Export: what telling its intervals costs the engine",
    note="TPC-C (dialect spec) against the real server in an open loop, Poisson arrivals, unix socket. Every "
    "second the histograms of all labels are merged, encoded, written, and emptied, by threads that are no "
    "event loops. The same load with a single interval has all else that those threads do: the difference "
    "of the two is the cost of intervals, here as a share of the CPU time of the whole process. What event "
    "loops spend on handing an interval on, and on counts that are no longer in their cache, is not in it.",
    cells=cells,
    lines=[Made("", _row)],
)
