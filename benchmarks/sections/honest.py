"""The section that compares each generator's reported times with a truth known in advance."""

from __future__ import annotations

import time
from collections.abc import Sequence
from math import log

from benchmarks import engine, peer
from benchmarks.load import Endpoint, Load
from benchmarks.rounds import Cell
from benchmarks.rows import Row, Samples, check
from benchmarks.section import Section
from benchmarks.servers import Servers
from benchmarks.settings import Settings
from benchmarks.spread import Spread, Target, at_most, spread

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


def cells(settings: Settings, servers: Servers) -> Sequence[Cell]:
    """Returns cells with a frozen server, with delayed replies, and with pacing alone."""
    # Whole periods of the freeze, or its share of the time is not a fifth.
    seconds = max(settings.seconds, 3)
    paced = Load("oltp_point_select", 64, seconds, rate=_RATE, arrivals="constant")
    closed = Load("oltp_point_select", 8, seconds)
    sysbench_paced = Load("oltp_point_select", 64, seconds, rate=_RATE)

    def frozen() -> Cell:
        return Cell(
            _FROZEN,
            {
                "ours": lambda: engine.run(paced, _freezing(servers)),
                "sysbench --rate": lambda: peer.run(sysbench_paced, _freezing(servers)),
                "sysbench closed": lambda: peer.run(closed, _freezing(servers)),
            },
            3 * seconds + 2,
        )

    # Few enough that the delay is all they wait for: many more would queue for the processors.
    many = Load("oltp_point_select", 64, seconds)
    bimodal = "bimodal:10ms,50ms,0.05"
    fast = Load("oltp_point_select", 64, seconds, rate=10_000, arrivals="constant")
    return [
        frozen(),
        Cell(
            _EXPONENTIAL,
            {"ours": lambda: engine.run(many, servers.null("--delay", "exponential:5ms"))},
            seconds + 1,
        ),
        Cell(_BIMODAL, {"ours": lambda: engine.run(many, servers.null("--delay", bimodal))}, seconds + 1),
        Cell(_OPEN_10K, {"ours": lambda: engine.run(fast, servers.null())}, seconds + 1),
    ]


def _freezing(servers: Servers) -> Endpoint:
    """Returns the server that freezes, after its first period, in which it does not."""
    endpoint = servers.null(*_FREEZE)
    time.sleep(max(0.0, endpoint.started + 1.1 - time.monotonic()))
    return endpoint


def gap(told: Sequence[float], truth: float) -> Spread | None:
    """Returns the relative error of the reported values."""
    return spread([abs(value / truth - 1) for value in told]) if told else None


_TRUTHS = (
    (_FROZEN, _FREEZE_TRUTH, _TOLERANCE),
    (_FROZEN, {"rate": _RATE}, _RATE_TOLERANCE),
    (_EXPONENTIAL, _EXPONENTIAL_TRUTH, _TOLERANCE),
    (_BIMODAL, _BIMODAL_TRUTH, _TOLERANCE),
    (_OPEN_10K, {"rate": 10_000.0}, _RATE_TOLERANCE),
)


def rows(samples: Sequence[Samples]) -> list[Row]:
    """Returns a row for every truth whose cell was measured."""
    by_cell = {sample.cell: sample for sample in samples}
    made = [_median_row(by_cell[_FROZEN])] if _FROZEN in by_cell else []
    for cell, truths, tolerance in _TRUTHS:
        if cell in by_cell:
            made += [_truth_row(by_cell[cell], figure, truth, tolerance) for figure, truth in truths.items()]
    if _OPEN_10K in by_cell:
        made.append(_lateness_row(by_cell[_OPEN_10K]))
    return made


def _truth_row(sample: Samples, figure: str, truth: float, tolerance: float) -> Row:
    name = "achieved rate/s" if figure == "rate" else f"{figure.removesuffix('_ms')} ms"
    told = {contestant: sample.median(contestant, figure) for contestant in sample.by_contestant}
    limit: Target = at_most(tolerance)
    return Row(
        cell=sample.cell,
        figure=name,
        medians={"truth": truth, **told},
        checks=[check("off", gap(sample.values("ours", figure), truth), limit)],
        conditions=sample.conditions,
    )


def _median_row(sample: Samples) -> Row:
    told = {contestant: sample.median(contestant, "p50_ms") for contestant in sample.by_contestant}
    note = "the truth is the server's service time, some hundredths of a millisecond; sysbench tells no p50"
    return Row(sample.cell, "p50 ms", {"truth": 0.0, **told}, [], sample.conditions, note)


def _lateness_row(sample: Samples) -> Row:
    late = sample.values("ours", "late_p99_ms")
    if not late:
        note = "this engine keeps no histogram of lateness"
        return Row(
            sample.cell,
            "pacer's lateness p99 ms",
            {"ours": None},
            [],
            sample.conditions,
            note,
        )
    checks = [check("ms", spread(late), at_most(_LATE_LIMIT_MS))]
    return Row(
        sample.cell,
        "pacer's lateness p99 ms",
        {"ours": sample.median("ours", "late_p99_ms")},
        checks,
        sample.conditions,
        "the target holds when a core is free: server and generator share this machine",
    )


SECTION = Section(
    name="honest",
    title="Honest: what is told beside a truth known in advance",
    note="The null server stands still, or holds replies back by a distribution; so the right answer is "
    "arithmetic. Times of the open loop are responses, from the scheduled instant. A closed loop cannot see "
    "a standstill: it stops asking (coordinated omission).",
    cells=cells,
    rows=rows,
)
