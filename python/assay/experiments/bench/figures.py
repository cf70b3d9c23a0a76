"""Computes the figures of one measurement as one plain object, for `assay bench --json` and its summary."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from assay.base.tally import SHARES, Bins, Time, WindowTimes, times_ms
from assay.design.folder import WHOLE, KindTally, LabelTimes, RunResult, plain_times, succeeded
from assay.system.engine import per_second


def figures(result: RunResult, *, settings: dict[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Returns counts, rates per second, times in milliseconds, CPU in seconds and memory in bytes, with the
    figures of `own` added.

    Where each connection is a terminal there is no schedule: the response time is the service time, and there
    is no `wait_ms`. Where terminals share connections, and in an open loop, `wait_ms` is the time until a
    connection is free.
    """
    whole = result.labels.get(WHOLE)
    seconds = result.elapsed_s
    cpu_us = result.engine.user_us + result.engine.system_us
    return {
        "workload": settings["workload"],
        "elapsed_s": seconds,
        "complete": result.complete,
        "events": result.transactions,
        "queries": result.queries,
        "reads": result.reads,
        "writes": result.writes,
        "other": result.other,
        "errors": sum(result.errors.values()),
        "errors_by_code": {str(code): count for code, count in sorted(result.errors.items())},
        "retries": result.retries,
        "failed": result.failed,
        "reconnects": result.reconnects,
        "dropped": result.dropped,
        "tps": per_second(result.transactions, seconds),
        "qps": per_second(result.queries, seconds),
        **({} if whole is None else _times(result, whole)),
        "labels": {
            label: {"count": times.count, **_times(result, times)}
            for label, times in sorted(result.labels.items())
            if label != WHOLE
        },
        **_of_some(result, seconds),
        **own,
        "connections": msgspec.to_builtins(result.connections),
        **({} if result.terminals is None else {"terminals": msgspec.to_builtins(result.terminals)}),
        **({} if result.deferred is None else {"deferred": msgspec.to_builtins(result.deferred)}),
        "engine": {
            "cpu_s": cpu_us / 1e6,
            "user_s": result.engine.user_us / 1e6,
            "system_s": result.engine.system_us / 1e6,
            "cpu_us_per_query": cpu_us / result.queries if result.queries else None,
            "max_rss_bytes": max(result.engine.rss_bytes, result.engine_total.rss_bytes),
        },
        "warmup": {
            "elapsed_s": result.warmup_s,
            "events": result.warmup.transactions,
            "queries": result.warmup.queries,
        },
        "drained": result.drained,
        "abandoned": result.abandoned,
        "settings": settings,
    }


def _of_some(result: RunResult, seconds: float) -> dict[str, Any]:
    """Returns figures that only some workloads have: kinds of transactions, counters, facts."""
    found: dict[str, Any] = {}
    if result.kinds:
        found["kinds"] = {name: _kind(result, kind, seconds) for name, kind in result.kinds.items()}
    if result.counters:
        found["counters"] = result.counters
    if result.facts:
        found["facts"] = result.facts
    if result.session:
        found["session"] = result.session
    return found


def _kind(result: RunResult, kind: KindTally, seconds: float) -> dict[str, Any]:
    return {
        "count": succeeded(kind),
        "per_second": per_second(succeeded(kind), seconds),
        **({} if kind.times is None else _times(result, kind.times)),
        "retries": kind.retries,
        "failed": kind.failed,
        "retry": _retry(kind),
        "errors_by_code": {str(code): count for code, count in sorted(kind.errors.items())},
    }


def _retry(kind: KindTally) -> dict[str, Any]:
    """Returns figures of failed tries, apart from those of the try that succeeded.

    `mean_ms`: mean of a try and the rollback after it, None without any. `last_try_mean_ms`: the service time
    that remains of a transaction, None where none succeeded.
    """
    tries = sum(kind.errors.values()) + kind.timeouts
    total_ms = (kind.retry_ns + kind.failed_ns) / 1e6
    last = None
    if kind.times is not None:
        mean = times_ms(kind.times.service)["mean"]
        last = None if mean is None or not succeeded(kind) else mean - kind.retry_ns / 1e6 / succeeded(kind)
    return {
        "tries": tries,
        "total_ms": total_ms,
        "given_up_ms": kind.failed_ns / 1e6,
        "mean_ms": total_ms / tries if tries else None,
        "last_try_mean_ms": last,
    }


def _times(result: RunResult, label: LabelTimes) -> dict[str, Any]:
    """Returns service, response and wait; `at_least` lists by these names the times that are lower bounds,
    since operations never ended, where there are any.
    """
    found: dict[str, WindowTimes[Bins] | None] = {"service_ms": plain_times(result, label, "service")}
    found["response_ms"] = plain_times(result, label, "response")
    if label.wait is not None:
        found["wait_ms"] = plain_times(result, label, "wait")
    named = {name: {} if times is None else _named(times) for name, times in found.items()}
    times = {
        name: {key: None if (t := of.get(key)) is None else t.ms for key in _KEYS}
        for name, of in named.items()
    }
    bounds = {name: [key for key, time in of.items() if time.at_least] for name, of in named.items()}
    bounds = {name: keys for name, keys in bounds.items() if keys}
    return {**times, **({"at_least": bounds} if bounds else {})}


_KEYS = ("min", "mean", *SHARES, "max")


def _named(times: WindowTimes[Bins]) -> dict[str, Time]:
    ranked = zip(SHARES, times.percentiles(list(SHARES.values())), strict=True)
    return {"min": times.min, "mean": times.mean, **dict(ranked), "max": times.max}
