"""Computes the cost of one query, or of one operation on files: a counter's growth divided by the queries of
the same time.

The stretch lies between the first and the last reading *inside* the measured window, so that nothing outside
the load is counted and nothing is extrapolated. The server's own counters are divided by its own count of
statements (less the sampler's), read at the same instant, where connections are kept; all others by
the queries that the client saw end between the two readings (linear within its one-second intervals).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from assay.base.labels import CONNECT
from assay.results.store.rung import Rung
from assay.results.store.series import Series

PER_QUERY = "/query"
Cost = tuple[str, str, float]  # name, unit, value

DISK = {"read_bytes": "B", "write_bytes": "B", "reads": PER_QUERY, "writes": PER_QUERY}


def costs(rung: Rung, inside: Mapping[str, Series]) -> Iterator[Cost]:
    """Yields the costs of a rung with a result; `inside` holds the samples of its measured window by
    source.
    """
    files = rung.result is not None and rung.result.storage is not None
    ending = "_per_io" if files else "_per_query"
    for source, price in (("status", _status), ("processes", _processes), ("cpu", _cpu), ("disks", _disks)):
        series = inside.get(source)
        if series is None or series.wall_ns.size < 2:
            continue
        queries = _queries_between(rung, int(series.wall_ns[0]), int(series.wall_ns[-1]))
        if queries > 0:
            found = price(rung, series.growth(), queries)
            yield from ((name + ending, unit, value) for name, unit, value in found)


def _queries_between(rung: Rung, first_ns: int, last_ns: int) -> float:
    times, queries = rung.progress()
    if not times.size:
        return 0.0
    first, last = np.interp([float(first_ns), float(last_ns)], times, queries)
    return float(last - first)


def _status(rung: Rung, growth: Mapping[str, float], queries: float) -> Iterator[Cost]:
    asked = growth.get("Questions", 0.0) - growth.get("_assay_statements", 0.0)
    if asked > 0:
        yield "Questions", PER_QUERY, asked / queries  # 1, but for failed statements: client and server agree
        if rung.result is None or CONNECT not in rung.result.labels:
            queries = asked * _share_of_queries(rung)
    for name, by in growth.items():
        if not name.startswith(("_", "Uptime", "Questions")):
            yield name, PER_QUERY, by / queries


def _share_of_queries(rung: Rung) -> float:
    """Returns the share of the server's questions that are queries to the client.

    A failed statement and its ROLLBACK are not.
    """
    if rung.result is None or not rung.result.queries:
        return 1.0
    failed = sum(rung.result.errors.values())
    return rung.result.queries / (rung.result.queries + 2 * failed)


def _processes(_: Rung, growth: Mapping[str, float], queries: float) -> Iterator[Cost]:
    if {"server.user_us", "server.system_us"} <= growth.keys():
        yield "server_cpu_us", "us", (growth["server.user_us"] + growth["server.system_us"]) / queries


def _cpu(_: Rung, growth: Mapping[str, float], queries: float) -> Iterator[Cost]:
    if "context_switches" in growth:
        yield "context_switches", PER_QUERY, growth["context_switches"] / queries


def _disks(_: Rung, growth: Mapping[str, float], queries: float) -> Iterator[Cost]:
    for ending, unit in DISK.items():
        devices = [by for name, by in growth.items() if name.endswith(f".{ending}")]
        if devices:
            yield f"disk_{ending}", unit, sum(devices) / queries
