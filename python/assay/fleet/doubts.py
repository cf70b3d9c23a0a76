"""Doubts about what only all generators together show."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from statistics import median

from assay.doubt_limits import (
    AROUND,
    NEAR_CEILING,
    SAMPLES_PER_SECOND,
    STARVED,
    STARVED_FROM,
    UNCONSERVED,
)
from assay.fleet.clock import ClockSpan
from assay.fleet.conducting import Questions
from assay.fleet.merging import Heard
from assay.folder import Doubt, RunResult
from assay.format.event import Connections
from assay.wording import counted

_RENEWED = "connect"
"""The label of connections that a workload renews."""
_UNEVEN = 0.8
"""Share of the median rate of a connection that a generator's own must have."""
_UNCERTAIN_NS, _DRIFT_PPM = 10**6, 100.0
"""How far a generator's clock may be from where it was taken to be, and how much faster or slower it may
run.
"""


def fleet_doubts(
    heard: Iterable[Heard],
    result: RunResult,
    *,
    steady: bool | None,
    clocks: Mapping[str, ClockSpan],
    questions: Questions | None = None,
    ceiling_qps: float | None = None,
) -> Iterator[Doubt]:
    """Yields the doubts about a load; `steady` is whether throughput had become level in the warm-up, None
    where it did not wait for that; `clocks` are those of the generators, by name; `questions` is the server's
    own count, None where it was not read or a generator is lost, whose statements nobody knows;
    `ceiling_qps` is what the generators reach together, None where nobody has measured it.
    """
    if steady is False:
        yield Doubt(
            kind="not-steady",
            message="the steady state was not reached: throughput was still changing when the longest"
            " warm-up ended",
            value=0.0,
            limit=1.0,
        )
    parts = list(heard)
    yield from _starved(result, open_loop=any(one.arrivals is not None for one in parts))
    yield from _uneven(parts)
    yield from _mixed(parts)
    yield from _uncertain(clocks)
    if questions is not None:
        yield from _conservation(result, questions)
    if ceiling_qps:
        yield from _near_ceiling(result, ceiling_qps)


def _near_ceiling(result: RunResult, ceiling_qps: float) -> Iterator[Doubt]:
    rate = result.queries / result.elapsed_s if result.elapsed_s > 0 else 0.0
    if rate / ceiling_qps <= NEAR_CEILING:
        return
    yield Doubt(
        kind="near-ceiling",
        message=f"{rate:,.0f} queries/s are {rate / ceiling_qps:.0%} of the {ceiling_qps:,.0f} that these"
        " generators reach together on servers that do nothing",
        value=rate / ceiling_qps,
        limit=NEAR_CEILING,
    )


def _conservation(result: RunResult, questions: Questions) -> Iterator[Doubt]:
    sent, counted_ = result.sent_statements, questions.counted
    slack = int(sent * UNCONSERVED) + AROUND
    # No result says how many statements of a failed packet the server came to: at most a transaction's.
    both = (result, result.warmup)
    failed = sum(sum(one.errors.values()) + one.timeouts for one in both)
    of_one = math.ceil(sent / max(sum(one.transactions for one in both), 1))
    unsure = failed * of_one + result.abandoned
    samples = SAMPLES_PER_SECOND * math.ceil(questions.elapsed_s)
    most = sent + slack + unsure + samples
    # Some servers count the goodbye of a connection, and no result says how many were renewed.
    most += result.connections.count + sum(one.reconnects for one in both)
    if sent - slack - unsure <= counted_ and (counted_ <= most or _RENEWED in result.labels):
        return
    whose = "some were lost" if counted_ < sent else "other clients of this server, most likely"
    yield Doubt(
        kind="conservation",
        message=f"the generators sent {counted(sent, 'statement')}, the server counted {counted_:,}: {whose}",
        value=abs(counted_ - sent) / max(sent, 1),
        limit=UNCONSERVED,
    )


def _starved(result: RunResult, *, open_loop: bool) -> Iterator[Doubt]:
    if open_loop:  # a connection takes what arrives: they need not be served alike
        return
    who = "connection" if result.terminals is None else "terminal"
    served: Connections = result.connections if result.terminals is None else result.terminals
    if served.mean < STARVED_FROM or served.min / served.mean >= STARVED:
        return
    fewest = counted(served.min, "transaction")
    yield Doubt(
        kind=f"starved-{who}",
        message=f"a {who} was starved: {fewest} where the mean is {served.mean:.0f}",
        value=served.min / served.mean,
        limit=STARVED,
    )


def _uneven(parts: list[Heard]) -> Iterator[Doubt]:
    rates = {
        one.name: one.result.transactions / one.result.elapsed_s / one.result.connections.count
        for one in parts
        if one.result is not None and one.result.elapsed_s > 0 and one.result.connections.count
    }
    if len(rates) < 2:
        return
    usual = median(rates.values())
    for name, rate in rates.items():
        if usual > 0 and rate / usual < _UNEVEN:
            yield Doubt(
                kind="uneven-generators",
                message=f"{name}: each of its connections carried out {rate:,.1f} transactions/s, where the"
                f" median of the generators is {usual:,.1f}",
                value=rate / usual,
                limit=_UNEVEN,
            )


def _mixed(parts: list[Heard]) -> Iterator[Doubt]:
    builds = {one.ready.engine_sha256 for one in parts if one.ready is not None}
    if len(builds) > 1:
        yield Doubt(
            kind="mixed-engines",
            message=f"the generators are of {counted(len(builds), 'build')} of the engine",
            value=float(len(builds)),
            limit=1.0,
        )


def _uncertain(clocks: Mapping[str, ClockSpan]) -> Iterator[Doubt]:
    for name, clock in clocks.items():
        if clock.bound_ns > _UNCERTAIN_NS:
            yield Doubt(
                kind="clock-uncertain",
                message=f"{name}: its clock is known to {clock.bound_ns / 1e6:.1f} ms only, so its intervals"
                " may begin earlier or later by as much",
                value=clock.bound_ns / 1e6,
                limit=_UNCERTAIN_NS / 1e6,
            )
        elif abs(clock.drift_ppm) > _DRIFT_PPM:
            yield Doubt(
                kind="clock-uncertain",
                message=f"{name}: its clock ran {clock.drift_ppm:+.0f} ppm fast",
                value=abs(clock.drift_ppm),
                limit=_DRIFT_PPM,
            )
