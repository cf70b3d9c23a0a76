"""The section on several generators: start, sum, the cost of the merge, the weight of Ray, and what it does
to a server.
"""

from __future__ import annotations

import os
import statistics
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory

from assay.design.folder import Interval

from benchmarks import fleet
from benchmarks.alternating import Plan
from benchmarks.fleet_scale import GENERATORS, merged, recorded
from benchmarks.rounds import Cell
from benchmarks.rows import Figures, Line, Made, Row, Samples, check, paired_row, row, some
from benchmarks.section import Section
from benchmarks.servers import Servers
from benchmarks.settings import Settings
from benchmarks.spread import Spread, at_least, at_most, clearly, hodges_lehmann, within

_ROUNDS = 2
_STARTS, _READINGS = 50, 50
"""In each round: a hundred starts in all, and of each clock a hundred readings."""
_SUMS, _WINDOW_S = 12, 2
"""Pairs in each round, and their longest window in seconds: ratios near 1 need many."""
_BESIDE, _QUICK = Plan(pairs=104, window_s=0.5), Plan(pairs=4, window_s=0.5)
"""Windows of each round's load beside Ray: the noise of a machine that others use has a length of seconds, so
that short windows disagree least for their number.
"""
_SOON_S, _INTERVAL_S = 3, 0.1
"""Warm-up of that load, and its intervals."""
_SURE = 97
"""Rank, among 100 starts in the order of their spread, of the lower end of the interval around the 99th
percentile; the upper end is the slowest start.
"""
_SUM_CONNECTIONS, _BESIDE_CONNECTIONS = 64, 16
_LATE_MS, _EQUAL, _INSIDE = 1.0, 0.97, 0.01
_RAY_LIMITS = (("cpu_pct", "% of a core", 1.0), ("memory_mib", "MiB", 300.0))
_START_BAR = replace(at_most(_LATE_MS), lenient=True)
"""Missed where the 97th of 100 starts is too late already."""
_START, _CLOCK, _SUM, _MERGE, _SERVER = (
    "start of two generators, loopback",
    "clocks in ten time namespaces, half of them reached late one way",
    f"point_select, {_SUM_CONNECTIONS} connections, null server",
    f"merging {GENERATORS} generators",
    f"point_select, {_BESIDE_CONNECTIONS} connections, beside an idle Ray node",
)


def cells(settings: Settings, servers: Servers) -> Sequence[Cell]:
    """Returns a cell for each bar; those of Ray only where they can be measured."""

    def starts() -> Figures:
        return fleet.starts(servers.null(), 4 if settings.quick else _STARTS)

    def sums() -> Figures:
        return fleet.sums(servers.null("--threads", "2"), _SUM_CONNECTIONS, window_s, sum_pairs)

    def beside() -> Figures:
        return fleet.beside_ray(load, servers.real(), servers.cpu_s, plan)

    sum_pairs, plan = (2, _QUICK) if settings.quick else (_SUMS, _BESIDE)
    window_s = min(settings.seconds, _WINDOW_S)
    load = settings.load(
        "oltp_point_select",
        _BESIDE_CONNECTIONS,
        ceil(plan.seconds),
        warm_up_s=_SOON_S,
        interval_s=_INTERVAL_S,
    )
    made = [
        Cell(_START, {"ours": starts}, 4.0 if settings.quick else 1.0 * _STARTS),
        Cell(_CLOCK, {"ours": partial(fleet.clocks, 10 if settings.quick else _READINGS)}, 20.0),
        Cell(_SUM, {"ours": sums}, 2 * sum_pairs * (window_s + 1)),
        Cell(_MERGE, {"ours": _merge}, 8.0),
    ]
    if not fleet.has_time_namespaces():
        made = [cell for cell in made if cell.name != _CLOCK]
    if not _no_ray():
        made.append(Cell(_SERVER, {"ours": beside}, 60.0 + plan.seconds))
    return made


def _merge() -> Figures:
    with TemporaryDirectory() as name:
        job, events = recorded(Path(name) / "events.jsonl", 1.0)
    intervals = sum(isinstance(event, Interval) for event in events)
    _, used_s = merged(job, events, GENERATORS)
    return {"us_per_line": used_s / (intervals * GENERATORS) * 1e6}


def missing() -> Sequence[str]:
    """Returns what is not measured, and why."""
    if fleet.has_time_namespaces():
        return _no_ray()
    return ["clocks: only root can give a process a time namespace", *_no_ray()]


def _no_ray() -> Sequence[str]:
    if find_spec("ray") is None:
        return ["the weight of Ray: it is not installed (pip install 'assay[fleet]')"]
    if os.geteuid() != 0:
        return ["the weight of Ray: only root can give it a network of its own"]
    return []


def _weight(name: str, title: str, limit: float, samples: Samples) -> Row:
    bar = check(f"{title} of the idle node", some(samples.values("ours", name)), clearly(at_most(limit)))
    return row(samples, f"{title}, the idle node itself", samples.medians(name), [bar])


def _starts(samples: Samples) -> Row:
    spreads = sorted(samples.numbered("ours", fleet.START))
    if not spreads:
        return row(samples, "ms, 99th percentile", {"ours": None}, [check("ms", None, _START_BAR)])
    p99, low = (spreads[ceil(share / 100 * len(spreads)) - 1] for share in (99, _SURE))
    found = Spread(p99, low, spreads[-1], len(spreads))
    title = (
        f"ms between first operations, 99th percentile of {len(spreads)} ({_SURE}th to slowest; median"
        f" {statistics.median(spreads):.2g})"
    )
    return row(samples, title, {"ours": p99}, [check("ms", found, _START_BAR)])


def _clock(samples: Samples) -> Row:
    readings = sum(samples.values("ours", "readings"))
    held = sum(
        share * count
        for share, count in zip(
            samples.values("ours", "inside"), samples.values("ours", "readings"), strict=True
        )
    )
    share = held / readings if readings else 0.0
    found = Spread(share, share, share, 1) if readings else None  # one that is outside is one too many
    title = f"share of {readings:,.0f} readings whose bound holds the truth"
    return row(samples, title, {"ours": share if readings else None}, [check("of all", found, at_least(1.0))])


_sums = partial(paired_row, one=fleet.TWO, other=fleet.ONE)
_beside = partial(paired_row, one=fleet.BESIDE, other=fleet.ALONE, ratio=hodges_lehmann)
_LINES: tuple[Line | Made, ...] = (
    Made(_START, _starts),
    Made(_CLOCK, _clock),
    Made(_SUM, partial(_sums, figure="qps", title="queries/s", target=clearly(at_least(_EQUAL)))),
    Made(_SUM, partial(_sums, figure="engine_us", title="CPU us/query")),
    Line(_MERGE, "us_per_line", "coordinator CPU us/event line"),
    *(Made(_SERVER, partial(_weight, *limit)) for limit in _RAY_LIMITS),
    Made(_SERVER, partial(_beside, figure="qps", title="queries/s", target=within(_INSIDE))),
    Made(_SERVER, partial(_beside, figure="used_us", title="server CPU us/query")),
)


SECTION = Section(
    name="fleet",
    title="Several generators: start, clocks, sum, merge, and the weight of Ray",
    note="Generators are processes of this machine. Where it has two processors, two generators, the null "
    "server and this program share them, and a start waits for whatever runs. A merge decodes and adds "
    "the events of all generators, with an interval each 0.1 s. Ray's node is idle, joined to a head "
    "beside it; the head is not weighed. Memory divides a shared page among its users. During one load "
    f"beside the node, all of its processes are stopped and go on, in windows of {_BESIDE.window_s:g} s; a "
    "pair is two windows side by side, in an order that is drawn, by the tenths of a second that lie "
    "wholly inside them; what a node catches up with counts as its cost. These ratios are the "
    "Hodges-Lehmann estimate over the pairs, with the 95 % interval of the signed-rank test. A bar is "
    "met, or is not, where all of an interval is on one side of it.",
    cells=cells,
    lines=_LINES,
    rounds=lambda pairs: min(pairs, _ROUNDS),
    bars=True,
    missing=missing,
    peer=lambda: "no peer",
)
