"""Returns results in the form of `fio --output-format=json` of fio 3.33: the same keys in the same places.

Programs that read fio's output can read this one. Two things differ: bandwidth is sampled by whole intervals
of 500 ms over the workers of a line together, and the CPU is that of the line's threads.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from assay.design.folder import DiskUse, RunResult
from assay.design.storage import PERCENTILES, JobFigures, JobOption, ReportLine, Side, Stage, Times
from assay.experiments.bench.storage import DEPTHS, EDGES, SIZES, Group, groups_of, levels, lines_of

VERSION = "fio-3.33"
"""The version of fio whose form this is, which parsers read."""
_UNITS_OF_EDGES = (("latency_ns", 1), ("latency_us", 1_000), ("latency_ms", 1_000_000))
_FLAGS = {"time_based", "group_reporting", "thread", "new_group", "stonewall", "wait_for_previous"}
"""Switches that fio does not repeat in its output."""


def document(stages: Sequence[tuple[Stage, RunResult]]) -> dict[str, Any]:
    """Returns all stages as one run of fio."""
    now = time.time()
    shared = stages[0][0].lines[0].section.inherited if stages else ()
    disks: dict[str, dict[str, Any]] = {}
    lines = list(lines_of(stages))
    groups = groups_of(lines)
    jobs = [_job(line, figures, result, groups[line.number]) for line, figures, result in lines]
    for _, result in stages:
        assert result.storage is not None
        for disk in result.storage.disks:
            _add_disk(disks, disk)
    return {
        "fio version": VERSION,
        "timestamp": int(now),
        "timestamp_ms": int(now * 1000),
        "time": time.strftime("%a %b %e %H:%M:%S %Y", time.localtime(now)),
        **({"global options": _said(shared)} if shared else {}),
        "jobs": jobs,
        "disk_util": list(disks.values()),
    }


def _job(line: ReportLine, figures: JobFigures, result: RunResult, group: Group) -> dict[str, Any]:
    raw = figures.job
    # fio's is the sum of its workers' run times.
    runtime_us = raw.elapsed_s * 1e6 * raw.workers
    return {
        "jobname": raw.name,
        "groupid": line.number,
        "error": 0,
        "eta": 2147483647,
        "elapsed": int(result.elapsed_s + result.warmup_s) + 1,
        "job options": _said(line.section.own),
        "read": _side(figures.read, raw.elapsed_s, group.bandwidth("read")),
        "write": _side(figures.write, raw.elapsed_s, group.bandwidth("write")),
        "trim": _side(None, 0.0, 0.0),
        "sync": {"total_ios": raw.syncs, "lat_ns": _times(figures.sync, percentiles=True)},
        "job_runtime": round(runtime_us / 1000),
        "usr_cpu": 100 * raw.cpu.user_us / runtime_us if runtime_us else 0.0,
        "sys_cpu": 100 * raw.cpu.system_us / runtime_us if runtime_us else 0.0,
        "ctx": raw.cpu.switches,
        "majf": raw.cpu.major_faults,
        "minf": raw.cpu.minor_faults,
        "iodepth_level": levels(DEPTHS, figures.depths),
        "iodepth_submit": levels(SIZES, figures.submits),
        "iodepth_complete": levels(SIZES, figures.collects),
        **_latencies(figures),
        "latency_depth": raw.depth // max(raw.workers, 1),
        "latency_target": 0,
        "latency_percentile": 100.0,
        "latency_window": 0,
    }


def _said(entries: Sequence[JobOption]) -> dict[str, str]:
    return {entry.name: entry.value or "" for entry in entries if entry.name not in _FLAGS}


def _side(side: Side | None, elapsed_s: float, of_group: float) -> dict[str, Any]:
    if side is None or not side.operations:
        side = Side()
        elapsed_s = 0.0
    bandwidth, iops = side.bandwidth_spread, side.iops_spread
    return {
        "io_bytes": side.bytes,
        "io_kbytes": side.bytes // 1024,
        "bw_bytes": int(side.bandwidth),
        "bw": int(side.bandwidth / 1024),
        "iops": side.iops,
        "runtime": round(elapsed_s * 1000),
        "total_ios": side.operations,
        "short_ios": side.short,
        "drop_ios": 0,
        "slat_ns": _times(side.submit, percentiles=False),
        "clat_ns": _times(side.completion, percentiles=True),
        "lat_ns": _times(side.total, percentiles=False),
        "bw_min": int(bandwidth.min / 1024),
        "bw_max": int(bandwidth.max / 1024),
        "bw_agg": 100.0 * bandwidth.mean / of_group if side.operations else 0.0,
        "bw_mean": bandwidth.mean / 1024,
        "bw_dev": bandwidth.stdev / 1024,
        "bw_samples": bandwidth.samples,
        "iops_min": int(iops.min),
        "iops_max": int(iops.max),
        "iops_mean": iops.mean,
        "iops_stddev": iops.stdev,
        "iops_samples": iops.samples,
    }


def _times(times: Times, *, percentiles: bool) -> dict[str, Any]:
    found: dict[str, Any] = {
        "min": times.min,
        "max": times.max,
        "mean": times.mean,
        "stddev": times.stdev,
        "N": times.count,
    }
    if percentiles and times.count:
        named = zip(PERCENTILES, times.percentiles, strict=True)
        found["percentile"] = {f"{share:.6f}": value for share, value in named}
    return found


def _latencies(figures: JobFigures) -> dict[str, dict[str, float]]:
    shares = figures.latencies(EDGES)
    found: dict[str, dict[str, float]] = {}
    for edge, share in zip(EDGES, shares, strict=False):
        # The last bound of a unit is written in it: 1000 us, 2000 ms.
        key, scale = _UNITS_OF_EDGES[(edge > 1_000) + (edge > 1_000_000)]
        found.setdefault(key, {})[str(edge // scale)] = share
    found["latency_ms"][">=2000"] = shares[-1]
    return found


def _add_disk(disks: dict[str, dict[str, Any]], disk: DiskUse) -> None:
    mine = {
        "name": disk.name,
        "read_ios": disk.read.operations,
        "write_ios": disk.write.operations,
        "read_merges": disk.read.merges,
        "write_merges": disk.write.merges,
        "read_ticks": disk.read.ms,
        "write_ticks": disk.write.ms,
        "in_queue": disk.queue_ms,
        "util": 100 * disk.utilisation,
    }
    before = disks.get(disk.name)
    if before is None:
        disks[disk.name] = mine
        return
    for key, value in mine.items():
        if key == "util":
            before[key] = max(before[key], value)
        elif key != "name":
            before[key] += value
