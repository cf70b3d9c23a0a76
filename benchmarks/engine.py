"""Runs the engine as a contestant."""

from __future__ import annotations

import json
import subprocess
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from assay.base.tally import decode
from assay.design.folder import RunResult, decode_event
from assay.system.engine import jobs
from assay.system.engine.binary import find_engine

from benchmarks.child import Child, ContestantFailed, last_words, meanwhile, run_child
from benchmarks.load import Endpoint, Load
from benchmarks.rows import Figures

_LOOP = "event-loop-"
_FEW = 50
PERCENTILES = (50.0, 75.0, 90.0, 95.0, 99.0, 99.9)


class Counts(NamedTuple):
    """What ended within a window, and the transactions that ended later."""

    queries: int
    transactions: int
    drained: int


def run(load: Load, endpoint: Endpoint) -> Figures:
    """Drives the load once. CPU is that of the whole process, over all queries, drained ones included."""
    child = _do(_job("run", load, endpoint), endpoint, limit_s=load.seconds * 3 + 120)
    raw = _last(child, "result")
    result = decode_event(json.dumps(raw))
    assert isinstance(result, RunResult)
    events = result.transactions + result.drained
    queries = all_queries(Counts(result.queries, result.transactions, result.drained), load, endpoint)
    times = result.labels.get("transaction")
    if times is None:
        raise ContestantFailed("no transaction ended in its window: make it longer")
    connections = result.connections
    return {
        "qps": result.queries / result.elapsed_s,
        "tps": result.transactions / result.elapsed_s,
        # Of an open loop: what was scheduled in the window and carried out, whenever it ended.
        "rate": times.count / result.elapsed_s,
        "events": events,
        "queries": queries,
        "cpu_us_per_query": child.cpu_s * 1e6 / queries,
        "cpu_s": child.cpu_s,
        "rss_mb": child.rss_mb,
        "wall_s": child.wall_s,
        "fairness": connections.min / connections.mean if connections.mean else 0.0,
        "warm_up_events": float(result.warmup.transactions),
        **{f"{name}_inside": float(kind.inside) for name, kind in result.kinds.items()},
        **_times(times.response or times.service, ""),
        **_lateness(raw),
    }


def lean(load: Load, endpoint: Endpoint, program: Path) -> Figures:
    """Drives the load once with an engine of any version. The figures are those that each of their results
    has.
    """
    child = _do(_job("run", load, endpoint), endpoint, limit_s=load.seconds * 3 + 120, program=program)
    raw = _last(child, "result")
    counts = Counts(raw["queries"], raw["transactions"], raw["drained"])
    queries = all_queries(counts, load, endpoint, program)
    return {
        "qps": raw["queries"] / raw["elapsed_s"],
        "cpu_us_per_query": child.cpu_s * 1e6 / queries,
        "rss_mb": child.rss_mb,
    }


def all_queries(counts: Counts, load: Load, endpoint: Endpoint, program: Path | None = None) -> float:
    """Returns the queries of a whole run, of transactions that ended after its window too.

    A transaction of sysbench's workloads always has as many. Those of a window over its transactions are not
    that number: where all connections begin together and a transaction is as long as the window, it holds
    the queries of all and the end of few. Of other workloads the window's own ratio is the best there is.
    """
    transactions = counts.transactions + counts.drained
    if load.options is None:
        same = replace(load, connections=1, seconds=60, transactions=_FEW, rate=None, warm_up_s=0)
        return transactions * of_each(same, endpoint, program)
    return counts.queries * transactions / max(counts.transactions, 1)


@cache
def of_each(load: Load, endpoint: Endpoint, program: Path | None) -> float:
    """Returns the queries of a transaction of one connection."""
    raw = _last(_do(_job("run", load, endpoint), endpoint, limit_s=120, program=program), "result")
    return float(raw["queries"] / raw["transactions"])


def running(load: Load, endpoint: Endpoint, events: Path) -> AbstractContextManager[subprocess.Popen[bytes]]:
    """Drives the load beside the block, with its events in a file."""
    return meanwhile(
        [find_engine(), "run", "-"],
        events,
        events.with_suffix(".errors"),
        stdin=msgspec.json.encode(_job("run", load, endpoint)),
        env={jobs.PASSWORD_ENV: endpoint.password},
    )


def telling(load: Load, endpoint: Endpoint) -> Figures:
    """Drives the load once, and returns the CPU time of all threads, and of those that are no event loops.

    The latter assemble intervals, write them down, look ten times a second whether there is something to do,
    log in before the load and report the result after it.
    """
    child = _do(_job("run", load, endpoint), endpoint, limit_s=load.seconds * 3 + 120, by_thread=True)
    others = [cpu_s for name, cpu_s in child.thread_cpu_s.items() if not name.startswith(_LOOP)]
    if not others:
        raise ContestantFailed("the kernel reports no CPU time of threads (/proc/PID/task/*/schedstat)")
    return {"cpu_s": child.cpu_s, "beside_loops_s": sum(others)}


def prepare(load: Load, endpoint: Endpoint) -> Figures:
    """Loads the tables."""
    child = _do(_job("prepare", load, endpoint), endpoint, limit_s=900)
    return {"wall_s": child.wall_s, "cpu_s": child.cpu_s, "rss_mb": child.rss_mb}


def prepare_dump(path: Path, endpoint: Endpoint, database: str, *, indexes_after: bool = False) -> Figures:
    """Loads the tables of a dump, with secondary indexes where the dump has them, or after the rows."""
    dump = {"files": [{"path": str(path), "name": path.name}], "indexes_after": indexes_after}
    job = _job("prepare", Load("dump", 1, options={}), endpoint)
    job["target"]["database"] = database
    child = _do({**job, "dump": dump}, endpoint, limit_s=1800)
    return {"wall_s": child.wall_s, "cpu_s": child.cpu_s, "rss_mb": child.rss_mb}


def _job(action: str, load: Load, endpoint: Endpoint) -> dict[str, Any]:
    at: dict[str, Any] = (
        {"socket": str(endpoint.socket)}
        if load.transport == "unix"
        else {"host": "127.0.0.1", "port": endpoint.port, "password_env": jobs.PASSWORD_ENV}
    )
    job: dict[str, Any] = {
        "version": 1,
        "action": action,
        "seed": 1,
        "target": {
            **at,
            "user": "root",
            "database": endpoint.database,
            "ps_mode": "auto" if load.prepared else "disable",
            "connect_timeout_ms": 60_000,
        },
        "workload": {
            "name": load.workload,
            "options": {"tables": load.tables, "table_size": load.table_size}
            if load.options is None
            else dict(load.options),
        },
        "engine": {"threads": load.engine_threads, "loaders": load.loaders},
    }
    if action == "run":
        job["load"] = {"connections": load.connections}
        if load.rate is not None:
            job["load"]["arrivals"] = {"kind": load.arrivals, "rate": load.rate}
        job["phases"] = {
            "measure_ms": load.seconds * 1000,
            "max_transactions": load.transactions,
            "interval_ms": round(load.interval_s * 1000),
        }
        if load.warm_up_s:
            job["phases"]["warmup"] = jobs.fixed_warmup(load.warm_up_s)
    return job


def _do(
    job: dict[str, Any],
    endpoint: Endpoint,
    *,
    limit_s: float,
    by_thread: bool = False,
    program: Path | None = None,
) -> Child:
    child = run_child(
        [program or find_engine(), "run", "-"],
        stdin=msgspec.json.encode(job),
        limit_s=limit_s,
        env={jobs.PASSWORD_ENV: endpoint.password},
        by_thread=by_thread,
    )
    if child.exit_code != 0:
        errors = [event["message"] for event in _events(child, "error") if event.get("fatal")]
        raise ContestantFailed(errors[-1] if errors else last_words(child.stderr))
    return child


def _events(child: Child, name: str) -> list[dict[str, Any]]:
    # Only lines of interest are parsed: interval lines are long.
    lines = (line for line in child.stdout.splitlines() if f'"event":"{name}"' in line)
    return [json.loads(line) for line in lines]


def _last(child: Child, name: str) -> dict[str, Any]:
    found = _events(child, name)
    if not found:
        raise ContestantFailed(f"no {name} among its events")
    return found[-1]


def _times(encoded: str, prefix: str) -> dict[str, float]:
    histogram = decode(encoded)
    ranked = {f"p{each:g}": histogram.percentile(each / 100) for each in PERCENTILES}
    times = {**ranked, "mean": histogram.mean, "max": histogram.max}
    return {f"{prefix}{name}_ms": value / 1e6 for name, value in times.items()}


def _lateness(raw: dict[str, Any]) -> dict[str, float]:
    """Returns how late the pacer was, for engines that report it."""
    lateness = (raw.get("pacing") or {}).get("lateness")
    return _times(lateness, "late_") if lateness else {}
