"""Computes the measures of one rung, a number with its unit each; assay.design.study.measures lists those for
claims.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from assay.base.format import OWN_MEASURES
from assay.base.labels import CONNECT
from assay.base.number_lists import parse_numbers
from assay.base.tally import Bag, WindowTimes, fewest_operations, percentile_ms, times_ms
from assay.design.folder import Hello, RunResult, VolumeEntry, kind_times, response_times, succeeded
from assay.results.store.costs import costs
from assay.results.store.device_failure import failure_measures
from assay.results.store.files import files_measures
from assay.results.store.rung import Rung
from assay.results.store.series import Series
from assay.results.store.stalls import stall_measures
from assay.results.store.times import times_of

_LATE = 0.99


@dataclass(frozen=True)
class Measure:
    name: str
    unit: str
    value: float
    at_least: bool = False  # operations never ended: the true value may be any above this one
    few: bool = False  # too few operations for this percentile


def rung_measures(
    rung: Rung, samples: Mapping[str, Series], server_cpus: str | None = None
) -> Iterator[Measure]:
    """Yields every measure of a rung that has a result; counters that did not move are zero, not missing.

    `server_cpus` lists the only processors that the server may run on, as in `0-3,8`.
    """
    for found in rung.found:
        yield from (Measure(figure.name, figure.unit, figure.value) for figure in found.figures)
    result, window = rung.result, rung.window_ns()
    if result is None or window is None or result.elapsed_s <= 0:
        return
    yield from (Measure(*measured) for measured in failure_measures(rung))
    yield from _lateness(result)
    if result.storage is None:
        yield from _client(result, _ended(rung))
        yield from _own(result, rung.hello)
        yield from (Measure(*found) for found in stall_measures(rung, result))
    else:
        yield from _times(response_times(result))
        yield from (Measure(*found) for found in files_measures(result, result.storage))
    inside = {source: series.between(*window) for source, series in samples.items()}
    yield from _gauges(inside)
    yield from _levels(inside.get("status"))
    if result.storage is None:
        yield from _memory(inside.get("processes"))
    if server_cpus is not None:
        yield from _server_cpus(parse_numbers(server_cpus), inside.get("cores"))
    if result.storage is None:
        yield from _disks(inside.get("disks"))
    yield from (Measure(name, unit, value) for name, unit, value in costs(rung, inside))


def _lateness(result: RunResult) -> Iterator[Measure]:
    """Yields the load generator's own lateness: in starting arrivals and in reading answers."""
    for of, late in (("pacing", result.pacing), ("reading", result.reading)):
        if late is not None and (p99 := percentile_ms(late.lateness, _LATE)) is not None:
            yield Measure(f"{of}_lateness_p99_ms", "ms", p99)


def volume_measures(volume: VolumeEntry | None) -> Iterator[Measure]:
    """Yields the measures of a run's volume, equal at every rung: the share of its devices that files can
    use.
    """
    if volume is not None:
        yield Measure("usable_pct", "%", 100 * volume.usable_bytes / (volume.devices * volume.device_bytes))


def _ended(rung: Rung) -> Counter[str]:
    """Returns how many transactions of each kind ended in the window, whereas a kind's times are of those due
    in it.
    """
    found: Counter[str] = Counter()
    for interval in rung.intervals:
        if interval.phase == "measure":
            found.update({name: succeeded(kind) for name, kind in interval.kinds.items()})
    return found


def _client(result: RunResult, ended: Mapping[str, int]) -> Iterator[Measure]:
    yield Measure("tps", "/s", result.transactions / result.elapsed_s)
    yield Measure("qps", "/s", result.queries / result.elapsed_s)
    yield from _times(response_times(result))
    if result.mean_think_ms is not None:
        yield Measure("mean_think_ms", "ms", result.mean_think_ms)
    if result.transactions and (connecting := result.labels.get(CONNECT)) and connecting.service:
        mean_ms = times_ms(connecting.service)["mean"] or 0.0
        yield Measure("mean_connect_ms", "ms", mean_ms * connecting.count / result.transactions)
    yield Measure("errors_per_s", "/s", sum(result.errors.values()) / result.elapsed_s)
    if result.queries:
        used = result.engine.user_us + result.engine.system_us
        yield Measure("generator_cpu_us_per_query", "us", used / result.queries)
    for name, kind in result.kinds.items():
        yield Measure(f"{name}.tps", "/s", ended[name] / result.elapsed_s)
        yield Measure(f"{name}.errors_per_s", "/s", sum(kind.errors.values()) / result.elapsed_s)
        yield from _times(kind_times(result, kind), f"{name}.")


def _own(result: RunResult, hello: Hello | None) -> Iterator[Measure]:
    """Yields the workload's own measures; for an engine too old to list them, those known to this version."""
    said = None if hello is None else hello.measures
    for one in OWN_MEASURES if said is None else said:
        if kind := result.kinds.get(one.kind):
            value = kind.inside * one.per_s / result.elapsed_s
            yield Measure(one.name, one.unit, int(value) if one.whole else value)


def _times(times: WindowTimes[Bag] | None, of: str = "") -> Iterator[Measure]:
    if times is not None:
        for name, unit, ms, at_least in times_of(times, of):
            yield Measure(name, unit, ms, at_least, times.total < fewest_operations(name))


_HISTORY = ("Innodb_history_list_length", "trx_rseg_history_len")
"""The length of the history list, as MariaDB's status and MySQL's metrics of InnoDB have it."""


def _levels(status: Series | None) -> Iterator[Measure]:
    """Yields the mean number of transactions whose old versions of rows nobody has purged."""
    means = {} if status is None else status.means()
    if (length := next((means[name] for name in _HISTORY if name in means), None)) is not None:
        yield Measure("history_list_length", "", length)


def _gauges(inside: Mapping[str, Series]) -> Iterator[Measure]:
    cpu = inside.get("cpu")
    if cpu is None:
        return
    if (load := cpu.means().get("load_1m")) is not None:
        yield Measure("load_average", "", load)
    if (running := cpu.means().get("procs_running")) is not None:
        yield Measure("run_queue", "", running)
    # What guests used is in user and nice already (proc(5)).
    spent = {
        name: by for name, by in cpu.growth().items() if name.endswith("_us") and not name.startswith("guest")
    }
    if "iowait_us" in spent and (total := sum(spent.values())) > 0:
        yield Measure("iowait_pct", "%", 100 * spent["iowait_us"] / total)
        unused = spent["iowait_us"] + spent.get("idle_us", 0.0)
        yield Measure("cpu_busy_pct", "%", 100 * (1 - unused / total))


def _server_cpus(numbers: Collection[int], cores: Series | None) -> Iterator[Measure]:
    """Yields the share of time that the server's own processors were used, between the readings in the
    window.
    """
    if cores is None or cores.wall_ns.size < 2:
        return
    grown = cores.growth()
    used = [grown.get(f"{number}.{kind}_us") for number in numbers for kind in ("busy", "steal")]
    if None not in used:
        elapsed_us = float(cores.wall_ns[-1] - cores.wall_ns[0]) / 1e3
        busy = sum(one for one in used if one is not None) / (elapsed_us * len(numbers))
        yield Measure("server_cpus_busy_pct", "%", 100 * min(1.0, busy))


def _memory(processes: Series | None) -> Iterator[Measure]:
    """Yields the most memory that the server's process had at any reading in the window."""
    if processes is not None and (most := processes.largest().get("server.rss_bytes")) is not None:
        yield Measure("server_rss_mib", "MiB", most / 2**20)


def _disks(disks: Series | None) -> Iterator[Measure]:
    """Yields the share of time that the busiest disk was at work, between the readings in the window."""
    if disks is None or disks.wall_ns.size < 2:
        return
    busy = [by for name, by in disks.growth().items() if name.endswith(".busy_us")]
    if busy:
        elapsed_us = float(disks.wall_ns[-1] - disks.wall_ns[0]) / 1e3
        yield Measure("disk_util_pct", "%", 100 * max(busy) / elapsed_us)
