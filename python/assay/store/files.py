"""The measures of a rung on files: what was moved, how long it took, what it cost, what the disk did.

Everything that fio prints of a job is here, for all jobs of the rung together; times that several of them
recorded are merged histograms. Shares of levels (`depth_32_pct`) are those of fio's tables: of depths the
level and everything up to the next, of calls and latencies everything from the level before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from statistics import fmean, pstdev

import numpy as np

from assay.folder import Direction, DiskUse, JobResult, RunResult, Spread, StorageResult
from assay.store.times import times_of
from assay.study.storage import DEPTHS, LATENCIES_MS, PAGES, READS, REDO, SIZES, TIMES
from assay.tally import SHARES, decode, merge

Found = tuple[str, str, float]  # name, unit, value

_MIB = 1 << 20


def files_measures(result: RunResult, storage: StorageResult) -> Iterator[Found]:
    """Of a rung with a result."""
    seconds, jobs = result.elapsed_s, storage.jobs
    sides = {"read": [job.read for job in jobs], "write": [job.write for job in jobs]}
    yield "iops", "/s", result.transactions / seconds
    yield "mib_per_s", "MiB/s", sum(side.bytes for both in sides.values() for side in both) / _MIB / seconds
    for name, directions in sides.items():
        yield from _side(name, directions, seconds, jobs)
    yield "workers", "", sum(job.workers for job in jobs)
    yield "job_runtime_min_ms", "ms", 1000 * min(job.elapsed_s for job in jobs)
    yield "job_runtime_max_ms", "ms", 1000 * max(job.elapsed_s for job in jobs)
    yield "syncs_per_s", "/s", sum(job.syncs for job in jobs) / seconds
    yield from _times("sync", [job.sync for job in jobs])
    yield from _work(jobs, result)
    yield from _levels(jobs)
    yield from _latencies(job_side.total for both in sides.values() for job_side in both)
    yield from _disks(storage.disks)
    yield from _pattern(jobs)
    for name in dict.fromkeys(job.name for job in jobs):
        yield from _of_job(name, [job for job in jobs if job.name == name], seconds)


def _of_job(name: str, jobs: Sequence[JobResult], seconds: float) -> Iterator[Found]:
    """What claims may say of one job: its reads and writes together, as of all jobs."""
    sides = [side for job in jobs for side in (job.read, job.write)]
    yield f"{name}.iops", "/s", sum(side.operations for side in sides) / seconds
    yield f"{name}.mib_per_s", "MiB/s", sum(side.bytes for side in sides) / _MIB / seconds
    found = [decode(side.total) for side in sides if side.total is not None]
    if any(one.total for one in found):
        yield from times_of(merge(found), f"{name}.")


def _side(
    name: str, sides: Sequence[Direction], seconds: float, jobs: Sequence[JobResult]
) -> Iterator[Found]:
    count, moved = sum(side.operations for side in sides), sum(side.bytes for side in sides) / _MIB
    yield f"{name}_iops", "/s", count / seconds
    yield f"{name}_mib_per_s", "MiB/s", moved / seconds
    yield f"{name}_mib", "MiB", moved
    yield f"{name}_issued", "", count
    yield f"{name}_short", "", sum(side.short for side in sides)
    if not count:
        return
    yield from _times(name, [side.total for side in sides])
    yield from _times(f"{name}_submit", [side.submit for side in sides])
    # Where one call does everything, all of the time is the completion's, as fio has it.
    yield from _times(f"{name}_completion", [side.completion or side.total for side in sides])
    interval_s = jobs[0].interval_ms / 1000
    for what, unit, series in (
        ("bandwidth", "MiB/s", [[value / _MIB for value in side.series_bytes] for side in sides]),
        ("iops", "/s", [[float(value) for value in side.series_operations] for side in sides]),
    ):
        length = min(len(one) for one in series)
        whole = [sum(one[at] for one in series) / interval_s for at in range(length)]
        if whole:
            yield f"{name}_{what}_min", unit, min(whole)
            yield f"{name}_{what}_max", unit, max(whole)
            yield f"{name}_{what}_mean", unit, fmean(whole)
            yield f"{name}_{what}_stdev", unit, pstdev(whole)
    each = [
        side.bytes / _MIB / job.elapsed_s for side, job in zip(sides, jobs, strict=True) if side.operations
    ]
    yield f"{name}_job_bandwidth_min", "MiB/s", min(each)
    yield f"{name}_job_bandwidth_max", "MiB/s", max(each)
    alone = [side.worker_bytes for side in sides if side.worker_bytes is not None]
    if alone:
        yield from _of_workers(name, alone, _MIB * interval_s, moved / seconds)


def _of_workers(
    name: str, spreads: Sequence[Spread], interval_mib: float, bandwidth: float
) -> Iterator[Found]:
    """What fio calls the bandwidth of a job: of each worker alone, over all whole intervals."""
    samples = sum(spread.samples for spread in spreads)
    mean = sum(spread.mean * spread.samples for spread in spreads) / samples
    squares = sum(spread.samples * (spread.stdev**2 + (spread.mean - mean) ** 2) for spread in spreads)
    for what, value in (
        ("min", min(spread.min for spread in spreads)),
        ("max", max(spread.max for spread in spreads)),
        ("mean", mean),
        ("stdev", float(np.sqrt(squares / samples))),
    ):
        yield f"{name}_worker_bandwidth_{what}", "MiB/s", value / interval_mib
    yield f"{name}_worker_bandwidth_share_pct", "%", 100 * mean / interval_mib / bandwidth


def _times(name: str, texts: Iterable[str | None]) -> Iterator[Found]:
    found = [decode(text) for text in texts if text is not None]
    if not found or not any(one.total for one in found):
        return
    whole = merge(found)
    values = dict(zip(SHARES, whole.percentiles(list(SHARES.values())).tolist(), strict=True))
    values |= {"min": whole.min, "mean": whole.mean, "stdev": whole.stdev, "max": whole.max}
    yield from ((f"{name}_{time}_ms", "ms", values[time] / 1e6) for time in TIMES)


def _pattern(jobs: Sequence[JobResult]) -> Iterator[Found]:
    """What `innodb-pattern` is run for; nothing of any other load."""
    by_name = {job.name: job for job in jobs}
    redo, pages = by_name.get(REDO), by_name.get(PAGES)
    if redo is None or READS not in by_name:
        return
    yield "commits_per_s", "/s", redo.write.operations / redo.elapsed_s
    wait = {name: value for name, _, value in _times("write", [redo.write.total])}
    flush = {name: value for name, _, value in _times("sync", [redo.sync])}
    if redo.syncs >= redo.write.operations - 1:  # one for each commit, which waits for both
        yield "commit_wait_mean_ms", "ms", wait.get("write_mean_ms", 0.0) + flush.get("sync_mean_ms", 0.0)
        yield "commit_flush_p99_ms", "ms", flush.get("sync_p99_ms", 0.0)
    elif wait:
        yield "commit_wait_mean_ms", "ms", wait["write_mean_ms"]
    if pages is not None:
        yield "pages_flushed_per_s", "/s", pages.write.operations / pages.elapsed_s
        times = {name: value for name, _, value in _times("page", [pages.write.total])}
        if times:
            yield "page_flush_p99_ms", "ms", times["page_p99_ms"]


def _work(jobs: Sequence[JobResult], result: RunResult) -> Iterator[Found]:
    user, system = sum(job.cpu.user_us for job in jobs), sum(job.cpu.system_us for job in jobs)
    if result.transactions:
        yield "cpu_us_per_io", "us", (user + system) / result.transactions
    # Of one worker's time, as fio says it.
    worker_us = sum(job.workers * job.elapsed_s for job in jobs) * 1e6
    if worker_us > 0:
        yield "worker_user_pct", "%", 100 * user / worker_us
        yield "worker_system_pct", "%", 100 * system / worker_us
    yield "context_switches", "", sum(job.cpu.switches for job in jobs)
    yield "major_faults", "", sum(job.cpu.major_faults for job in jobs)
    yield "minor_faults", "", sum(job.cpu.minor_faults for job in jobs)
    yield "mean_depth", "", sum(job.mean_depth for job in jobs)
    each = [count / result.elapsed_s for job in jobs for count in job.worker_operations]
    if each:
        yield "worker_iops_min", "/s", min(each)
        yield "worker_iops_max", "/s", max(each)


def _levels(jobs: Sequence[JobResult]) -> Iterator[Found]:
    for name, levels, counts in (
        ("depth", DEPTHS, [job.depths for job in jobs]),
        ("submitted", SIZES, [job.submit_sizes for job in jobs]),
        ("collected", SIZES, [job.collect_sizes for job in jobs]),
    ):
        sums = [sum(column) for column in zip(*counts, strict=True)]
        if total := sum(sums):
            for level, count in zip(levels, sums, strict=True):
                yield f"{name}_{level}_pct", "%", 100 * count / total


def _latencies(texts: Iterable[str | None]) -> Iterator[Found]:
    found = [decode(text) for text in texts if text is not None]
    if not found:
        return
    whole = merge(found)
    *below, beyond = whole.counts_between([edge * 1e6 for edge in LATENCIES_MS])
    for edge, count in zip(LATENCIES_MS, below, strict=True):
        yield f"latency_below_{edge:g}_ms_pct", "%", 100 * count / whole.total
    yield "latency_beyond_pct", "%", 100 * beyond / whole.total


def _disks(disks: Sequence[DiskUse]) -> Iterator[Found]:
    """Of the devices beneath the files; utilisation is that of the busiest."""
    if not disks:
        return
    yield "disk_util_pct", "%", 100 * max(disk.utilisation for disk in disks)
    for name in ("read", "write"):
        sides = [getattr(disk, name) for disk in disks]
        yield f"disk_{name}_ios", "", sum(side.operations for side in sides)
        yield f"disk_{name}_merges", "", sum(side.merges for side in sides)
        yield f"disk_{name}_mib", "MiB", sum(side.bytes for side in sides) / _MIB
        yield f"disk_{name}_ticks_ms", "ms", sum(side.ms for side in sides)
    yield "disk_queue_ms", "ms", sum(disk.queue_ms for disk in disks)
