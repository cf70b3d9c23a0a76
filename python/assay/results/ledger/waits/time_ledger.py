"""The time ledger: the time of a transaction, divided by what the threads of its connections did.

Threads of N connections have N times the window to spend: on a processor, ready to run, in waits, and in
waits for the client. As shares of it these are scaled to the time of a transaction in the measured window, so
they add up to it; what no record tells is unnamed.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from assay.design.folder import ScheduledThreads, SwitchProfile
from assay.results.ledger.line import (
    NO_SWITCHES,
    RUNNABLE,
    UNNAMED,
    WAKE_DELAY,
    WOKEN,
    LedgerLine,
    MeasuredLoad,
    woken_after,
)
from assay.results.ledger.waits.rules import WaitClass, WaitRules, rules_of

ON_CPU, CLIENT, QUEUE = "on-cpu", "client", "queue"
POOL, NO_THREAD = "idle-pool", "in no thread"
"""Idle threads of a thread pool, and the time of its connections in which no thread serves them."""
CONNECTING = "opening the connection again"
"""Time of a connection in which the server has no thread for it, since it is closed or not yet opened."""
PREEMPTED, THINK, THROTTLED = "preempted", "think time", "quota used up"
EITHER = "preempted or quota used up"
CHECKPOINT, LAG, CHECKPOINT_OR_LAG = "checkpoint", "lagging purge", "checkpoint or lagging purge"
"""Sleeps of statements that change rows, which a stripped server does not tell apart."""

_ROUNDING = 1e-9
"""Share of the time below which what is left of it is none: sums of floats leave that much."""

_Part = tuple[str, str]
"""A group and a line inside it."""


@dataclass(frozen=True)
class OpenLoop:
    """The mean times of an open loop in its profile window: the wait for a free connection and the service
    time, in microseconds.
    """

    queue_us: float
    service_us: float


def time_lines(
    profile: SwitchProfile, measured: MeasuredLoad, loop: OpenLoop | None = None
) -> Iterator[LedgerLine]:
    """Yields the lines of the time ledger, whose sum is the measured time of a transaction.

    `loop` has the times of an open loop; without it an open loop has no lines.
    """
    waits = _waits(profile, rules_of(profile.flavour))
    found = list(_lines(_parts(profile, waits), profile.window_ns, profile.load.threads, measured, loop))
    yield from found
    if found:
        yield from _wake_delays(waits)


def scheduled_lines(
    scheduled: ScheduledThreads, measured: MeasuredLoad, loop: OpenLoop | None = None
) -> Iterator[LedgerLine]:
    """Yields what is known of the time ledger without switch records: time on a processor and time in wait
    for one. All other time is unnamed.
    """
    parts = {(ON_CPU, ""): float(scheduled.on_cpu_ns), (RUNNABLE, ""): float(scheduled.delayed_ns)}
    found = list(_lines(parts, scheduled.window_ns, scheduled.threads, measured, loop))
    yield from found
    if found:
        yield LedgerLine("time", UNNAMED, NO_SWITCHES, 0.0)


def _lines(
    parts: Mapping[_Part, float],
    window_ns: int,
    threads: int,
    measured: MeasuredLoad,
    loop: OpenLoop | None,
) -> Iterator[LedgerLine]:
    total = measured.total("time")
    if not total or not window_ns or not threads:
        return
    amounts = (
        _in_closed_loop(parts, window_ns, threads, measured, total)
        if measured.kind == "threads"
        else _in_open_loop(parts, window_ns, measured, total, loop)
    )
    if not amounts:
        return
    rest = amounts.get((UNNAMED, ""), 0.0) + total - math.fsum(amounts.values())
    amounts[UNNAMED, ""] = 0.0 if abs(rest) < _ROUNDING * total else rest
    for (group, line), amount in sorted(amounts.items()):
        yield LedgerLine("time", group, line, amount)


def _in_closed_loop(
    parts: Mapping[_Part, float], window_ns: int, threads: int, measured: MeasuredLoad, total: float
) -> dict[_Part, float]:
    """Returns amounts in microseconds: shares of the time of all connections, and think time as the load has
    it.
    """
    if any(group == POOL for group, _ in parts):
        return _in_pool(parts, window_ns, threads, measured, total)
    whole_ns = window_ns * max(float(threads), measured.load)
    amounts = {part: total * ns / whole_ns for part, ns in parts.items()}
    pause, connecting = (1e3 * measured.figures.get(f"mean_{of}_ms", 0.0) for of in ("think", "connect"))
    think = min(pause - connecting, _of(amounts, CLIENT))
    if think > _ROUNDING * total:
        kept = 1 - think / _of(amounts, CLIENT)
        amounts = {part: amount * kept if part[0] == CLIENT else amount for part, amount in amounts.items()}
        amounts[CLIENT, THINK] = think
    if connecting > 0:
        amounts[CLIENT, CONNECTING] = min(connecting, max(0.0, total - math.fsum(amounts.values())))
    return amounts


def _in_pool(
    parts: Mapping[_Part, float], window_ns: int, threads: int, measured: MeasuredLoad, total: float
) -> dict[_Part, float]:
    """Returns amounts in microseconds for a server whose threads serve many connections in turn. A connection
    that no thread serves waits for the client, or for a thread.
    """
    by = total / (window_ns * measured.load)
    amounts = {part: ns * by for part, ns in parts.items() if part[0] != POOL}
    amounts[UNNAMED, ""] = (threads * window_ns - sum(parts.values())) * by
    amounts[CLIENT, NO_THREAD] = max(0.0, total - sum(amounts.values()))
    return amounts


def _in_open_loop(
    parts: Mapping[_Part, float],
    window_ns: int,
    measured: MeasuredLoad,
    total: float,
    loop: OpenLoop | None,
) -> dict[_Part, float]:
    """Returns amounts in microseconds. Connections of an open loop also wait for the next arrival, which is
    no part of any transaction: what the client and the network take is the service time without the server's
    part of it.
    """
    tps = measured.figures.get("tps", 0.0)
    if loop is None or not tps or loop.queue_us + loop.service_us <= 0:
        return {}
    queue = total * loop.queue_us / (loop.queue_us + loop.service_us)
    transactions = tps * window_ns / 1e9
    amounts = {part: ns / 1e3 / transactions for part, ns in parts.items() if part[0] not in (CLIENT, POOL)}
    amounts[QUEUE, ""] = queue
    amounts[CLIENT, ""] = max(0.0, total - sum(amounts.values()))
    return amounts


def _of(amounts: Mapping[_Part, float], group: str) -> float:
    return sum(amount for (name, _), amount in amounts.items() if name == group)


def _parts(profile: SwitchProfile, waits: Mapping[WaitClass | None, _Waits]) -> dict[_Part, float]:
    """Returns the nanoseconds of the load's threads by group and line, without what no record tells."""
    load = profile.load
    parts: dict[_Part, float] = defaultdict(float)
    parts[ON_CPU, ""] = float(load.on_cpu_ns)
    for line, ns in _preempted(profile).items():
        parts[RUNNABLE, line] = ns
    parts[RUNNABLE, WOKEN] = float(load.woken_ns)
    for wait, of in waits.items():
        if wait is None:
            continue
        parts[wait.group, wait.line] += of.ns
        # A quota lets nobody run, whatever they waited for; after a statement has come, none waited before.
        if not profile.throttled and wait.group not in (CLIENT, POOL):
            parts[RUNNABLE, woken_after(wait.group)] += of.late_ns
            parts[RUNNABLE, WOKEN] -= of.late_ns
    return {part: ns for part, ns in parts.items() if ns}


def _preempted(profile: SwitchProfile) -> dict[str, float]:
    """Returns the nanoseconds in which the load's threads could have gone on, by what kept them from it: the
    quota for as long as the kernel says, of all threads alike, and otherwise other threads.

    Earlier releases kept the number of periods alone, which does not tell the two apart.
    """
    ns, others = float(profile.load.preempted_ns), float(profile.others.preempted_ns)
    if not profile.throttled:
        return {PREEMPTED: ns}
    if profile.throttled_ns is None:
        return {EITHER: ns}
    of_quota = min(ns, profile.throttled_ns * ns / (ns + others)) if ns else 0.0
    return {THROTTLED: of_quota, PREEMPTED: ns - of_quota}


def _wake_delays(waits: Mapping[WaitClass | None, _Waits]) -> Iterator[LedgerLine]:
    """Yields how long a thread waits for a processor after one wait of each group, and after one of any."""
    by_group: dict[str, _Waits] = defaultdict(_Waits)
    for wait, of in waits.items():
        by_group[""] += of
        if wait is not None and wait.group not in (CLIENT, POOL):
            by_group[wait.group] += of
    for group, of in by_group.items():
        if of.count and of.late_ns:
            yield LedgerLine("counts", WAKE_DELAY, group, of.late_ns / of.count / 1e3)


@dataclass(frozen=True)
class _Waits:
    """Waits of one kind: how many, how long, and how long those for a processor were that followed them."""

    count: float = 0.0
    ns: float = 0.0
    late_ns: float = 0.0

    def __add__(self, other: _Waits) -> _Waits:
        return _Waits(self.count + other.count, self.ns + other.ns, self.late_ns + other.late_ns)

    def __mul__(self, share: float) -> _Waits:
        return _Waits(self.count * share, self.ns * share, self.late_ns * share)


def _waits(profile: SwitchProfile, rules: WaitRules) -> dict[WaitClass | None, _Waits]:
    """Returns the load's waits by class; None: those that nothing tells.

    Waits whose stack was not taken go by those whose stack was, of waits that last about as long; where there
    is none, by all.
    """
    by_decade: dict[int, dict[WaitClass | None, _Waits]] = defaultdict(lambda: defaultdict(_Waits))
    without: dict[int, _Waits] = defaultdict(_Waits)
    for stack in (stack for stack in profile.stacks if stack.of_load):
        of = _Waits(stack.count, stack.ns, stack.late_ns)
        if stack.frames:
            found = rules.wait_class([profile.names[place] for place in stack.frames])
            named = _told_apart(found, profile.purge_lags)
            by_decade[stack.decade][named] += of
        else:
            without[stack.decade] += of
    summed = _sum(by_decade.values())
    whole = dict(summed)
    for decade, of in without.items():
        alike = by_decade.get(decade) or whole
        seen = sum(one.ns for one in alike.values())
        for named, one in alike.items() if seen else ((None, _Waits(ns=1.0)),):
            summed[named] += of * (one.ns / (seen or 1.0))
    return summed


def _told_apart(found: WaitClass | None, purge_lags: bool | None) -> WaitClass | None:
    """Returns the class of a sleep for a checkpoint or because purge lags, as what the server said it is."""
    if found is None or found.line != CHECKPOINT_OR_LAG or purge_lags is None:
        return found
    return WaitClass("purge-lag", LAG) if purge_lags else WaitClass(found.group, CHECKPOINT)


def _sum(parts: Iterable[Mapping[WaitClass | None, _Waits]]) -> dict[WaitClass | None, _Waits]:
    found: dict[WaitClass | None, _Waits] = defaultdict(_Waits)
    for part in parts:
        for named, of in part.items():
            found[named] += of
    return found
