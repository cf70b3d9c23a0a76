"""The section that compares each generator's reported times with a truth known in advance."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from math import log

from benchmarks import engine, peer
from benchmarks.load import Endpoint, Load
from benchmarks.rounds import Cell
from benchmarks.rows import Made, Row, Samples, check, row, some
from benchmarks.section import Section
from benchmarks.servers import Servers
from benchmarks.settings import Settings
from benchmarks.spread import Spread, at_most

# Low enough that what queued behind a freeze is served in a moment: the closed form knows no service time.
_RATE = 1_000.0
_FREEZE = ("--freeze", "200ms", "--every", "1s")
_FROZEN = "frozen 200 ms in each second, 1 000/s"
_EXPONENTIAL, _BIMODAL = "delay exponential, mean 5 ms", "delay 10 ms, 5 % of them 50 ms"
_OPEN_10K = "pacing at 10 000/s"

# A fifth of constant arrivals meet a freeze and wait for the rest of it, evenly between 0 and 200 ms.
_FREEZE_TRUTH = {"p95_ms": 150.0, "p99_ms": 190.0, "mean_ms": 20.0}
# Quantile of an exponential: -mean ln(1 - q).
_EXPONENTIAL_TRUTH = {f"p{p:g}_ms": -5.0 * log(1 - p / 100) for p in (50.0, 75.0, 90.0, 95.0, 99.0, 99.9)}
_BIMODAL_TRUTH = {"p50_ms": 10.0, "p75_ms": 10.0, "p90_ms": 10.0, "p99_ms": 50.0, "p99.9_ms": 50.0}
_TOLERANCE = 0.02
_RATE_TOLERANCE = 0.001
_LATE_LIMIT_MS = 0.2
_MEDIAN_NOTE = (
    "the truth is the server's service time, some hundredths of a millisecond; sysbench tells no p50"
)
_LATE_NOTE = "the target holds when a core is free: server and generator share this machine"


def cells(settings: Settings, servers: Servers) -> Sequence[Cell]:
    """Returns cells with a frozen server, with delayed replies, and with pacing alone."""
    # Whole periods of the freeze, or its share of the time is not a fifth.
    seconds = max(settings.seconds, 3)
    # Few enough that the delay is all they wait for: many more would queue for the processors.
    many = Load("oltp_point_select", 64, seconds)
    paced = Load("oltp_point_select", 64, seconds, rate=_RATE, arrivals="constant")
    closed = Load("oltp_point_select", 8, seconds)
    sysbench_paced = Load("oltp_point_select", 64, seconds, rate=_RATE)
    fast = Load("oltp_point_select", 64, seconds, rate=10_000, arrivals="constant")

    def ours(name: str, load: Load, *options: str) -> Cell:
        return Cell(name, {"ours": lambda: engine.run(load, servers.null(*options))}, seconds + 1)

    frozen = {
        "ours": lambda: engine.run(paced, _freezing(servers)),
        "sysbench --rate": lambda: peer.run(sysbench_paced, _freezing(servers)),
        "sysbench closed": lambda: peer.run(closed, _freezing(servers)),
    }
    return [
        Cell(_FROZEN, frozen, 3 * seconds + 2),
        ours(_EXPONENTIAL, many, "--delay", "exponential:5ms"),
        ours(_BIMODAL, many, "--delay", "bimodal:10ms,50ms,0.05"),
        ours(_OPEN_10K, fast),
    ]


def _freezing(servers: Servers) -> Endpoint:
    """Returns the server that freezes, after its first period, in which it does not."""
    endpoint = servers.null(*_FREEZE)
    time.sleep(max(0.0, endpoint.started + 1.1 - time.monotonic()))
    return endpoint


def gap(told: Sequence[float], truth: float) -> Spread | None:
    """Returns the relative error of the reported values."""
    return some([abs(value / truth - 1) for value in told])


def _truth(figure: str, truth: float, tolerance: float, sample: Samples) -> Row:
    title = "achieved rate/s" if figure == "rate" else f"{figure.removesuffix('_ms')} ms"
    bar = check("off", gap(sample.values("ours", figure), truth), at_most(tolerance))
    return row(sample, title, {"truth": truth, **sample.medians(figure)}, [bar])


def _median(sample: Samples) -> Row:
    return row(sample, "p50 ms", {"truth": 0.0, **sample.medians("p50_ms")}, note=_MEDIAN_NOTE)


def _lateness(sample: Samples) -> Row:
    late = sample.values("ours", "late_p99_ms")
    bars = [check("ms", some(late), at_most(_LATE_LIMIT_MS))] if late else []
    note = _LATE_NOTE if late else "this engine keeps no histogram of lateness"
    return row(sample, "pacer's lateness p99 ms", sample.medians("late_p99_ms"), bars, note)


_LINES = (
    Made(_FROZEN, _median),
    *(
        Made(cell, partial(_truth, figure, truth, tolerance))
        for cell, truths, tolerance in (
            (_FROZEN, _FREEZE_TRUTH, _TOLERANCE),
            (_FROZEN, {"rate": _RATE}, _RATE_TOLERANCE),
            (_EXPONENTIAL, _EXPONENTIAL_TRUTH, _TOLERANCE),
            (_BIMODAL, _BIMODAL_TRUTH, _TOLERANCE),
            (_OPEN_10K, {"rate": 10_000.0}, _RATE_TOLERANCE),
        )
        for figure, truth in truths.items()
    ),
    Made(_OPEN_10K, _lateness),
)


SECTION = Section(
    name="honest",
    title="Honest: what is told beside a truth known in advance",
    note="The null server stands still, or holds replies back by a distribution; so the right answer is "
    "arithmetic. Times of the open loop are responses, from the scheduled instant. A closed loop cannot see "
    "a standstill: it stops asking (coordinated omission).",
    cells=cells,
    lines=_LINES,
)
