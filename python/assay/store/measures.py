"""The measures of one rung: one number each, with its unit. A claim may name those in `assay.study.measures`.

Costs per query are taken between the first and the last reading *inside* the measured window; the queries
are those that ended between the same two readings (linear within the client's one-second intervals), so that
nothing outside the load is counted and nothing is extrapolated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from assay.folder import LabelTimes, RunResult
from assay.stats.histogram import decode
from assay.store.rung import Rung
from assay.store.series import Series

PER_QUERY = "/query"

PERCENTILES = {
    "p50_ms": 0.50,
    "p75_ms": 0.75,
    "p90_ms": 0.90,
    "p95_ms": 0.95,
    "p99_ms": 0.99,
    "p99_9_ms": 0.999,
}


@dataclass(frozen=True)
class Measure:
    name: str
    unit: str
    value: float


def response_of(times: LabelTimes) -> str:
    """The histogram of response times; without a schedule (closed loop) they are the service times."""
    return times.response or times.service


def rung_measures(rung: Rung, samples: Mapping[str, Series]) -> Iterator[Measure]:
    """Everything measured at a rung that has a result; counters that did not move are zero, not missing."""
    result, window = rung.result, rung.window_ns()
    if result is None or window is None or result.elapsed_s <= 0:
        return
    yield from _client(result)
    inside = {source: series.between(*window) for source, series in samples.items()}
    yield from _gauges(inside)
    for source, cost in _costs(rung, inside):
        yield from (Measure(f"{name}_per_query", unit, value) for name, unit, value in _named(source, cost))


def _client(result: RunResult) -> Iterator[Measure]:
    yield Measure("tps", "/s", result.transactions / result.elapsed_s)
    yield Measure("qps", "/s", result.queries / result.elapsed_s)
    if (times := result.labels.get("transaction")) and times.count:
        histogram = decode(response_of(times))
        yield Measure("mean_ms", "ms", histogram.mean / 1e6)
        for name, value in zip(PERCENTILES, histogram.percentiles(list(PERCENTILES.values())), strict=True):
            yield Measure(name, "ms", float(value) / 1e6)
        yield Measure("max_ms", "ms", histogram.max / 1e6)
    yield Measure("errors_per_s", "/s", sum(result.errors.values()) / result.elapsed_s)
    if result.queries:
        used = result.engine.user_us + result.engine.system_us
        yield Measure("generator_cpu_us_per_query", "us", used / result.queries)


def _costs(rung: Rung, inside: Mapping[str, Series]) -> Iterator[tuple[str, dict[str, float]]]:
    """(source, counter -> growth per query) for the sources with two readings in the window."""
    times, queries = rung.progress()
    for source, series in inside.items():
        if series.wall_ns.size < 2 or not times.size:
            continue
        first, last = np.interp(series.wall_ns[[0, -1]].astype(np.float64), times, queries)
        if last > first:
            yield source, {name: by / (last - first) for name, by in series.growth().items()}


def _named(source: str, cost: Mapping[str, float]) -> Iterator[tuple[str, str, float]]:
    """(name, unit, value) of the costs worth a measure, by source."""
    if source == "status":
        yield from ((name, PER_QUERY, value) for name, value in _without_ours(cost).items())
    elif source == "processes" and {"server.user_us", "server.system_us"} <= cost.keys():
        yield "server_cpu_us", "us", cost["server.user_us"] + cost["server.system_us"]
    elif source == "cpu" and "context_switches" in cost:
        yield "context_switches", PER_QUERY, cost["context_switches"]
    elif source == "disks":
        for ending, unit in {
            "read_bytes": "B",
            "write_bytes": "B",
            "reads": PER_QUERY,
            "writes": PER_QUERY,
        }.items():
            devices = [value for name, value in cost.items() if name.endswith(f".{ending}")]
            if devices:
                yield f"disk_{ending}", unit, sum(devices)


def _without_ours(cost: Mapping[str, float]) -> dict[str, float]:
    """The server counts the sampler's statements among its questions; they are not the load's."""
    ours = cost.get("_assay_statements", 0.0)
    kept = {name: value for name, value in cost.items() if not name.startswith("_")}
    return kept | {name: kept[name] - ours for name in ("Questions", "Queries") if name in kept}


def _gauges(inside: Mapping[str, Series]) -> Iterator[Measure]:
    cpu = inside.get("cpu")
    if cpu is None:
        return
    if (load := cpu.means().get("load_1m")) is not None:
        yield Measure("load_average", "", load)
    # What guests used is in user and nice already (proc(5)).
    spent = {
        name: by for name, by in cpu.growth().items() if name.endswith("_us") and not name.startswith("guest")
    }
    if "iowait_us" in spent and (total := sum(spent.values())) > 0:
        yield Measure("iowait_pct", "%", 100 * spent["iowait_us"] / total)
