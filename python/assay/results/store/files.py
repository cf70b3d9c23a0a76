"""Computes the measures of a rung on files: volume and times of operations, their cost, and the disks' work.

Everything that fio prints of a job is here, for all jobs of the rung together; times that several of them
recorded are merged histograms. Shares of levels (`depth_32_pct`) are those of fio's tables: of depths the
level and everything up to the next, of calls and latencies everything from the level before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.base.tally import SHARES, WindowTimes, fewest_operations
from assay.design.folder import DiskUse, JobResult, RunResult, Spread, StorageResult
from assay.design.storage import JobFigures, Side, Times, figures_of, read_times
from assay.design.study.storage import DEPTHS, LATENCIES_MS, PAGES, READS, REDO, SIZES, TIMES
from assay.results.store.times import times_of

# Name, unit, value; of times also whether they are lower bounds, and too few for their percentile.
Found = tuple[str, str, float] | tuple[str, str, float, bool, bool]

_MIB = 1 << 20


def files_measures(result: RunResult, storage: StorageResult) -> Iterator[Found]:
    """Yields the measures of a rung on storage that has a result."""
    seconds, jobs = result.elapsed_s, storage.jobs
    figures = figures_of(jobs, seconds)
    yield "iops", "/s", result.transactions / seconds
    yield "mib_per_s", "MiB/s", (figures.read.bandwidth + figures.write.bandwidth) / _MIB
    yield from _side("read", figures.read)
    yield from _side("write", figures.write)
    yield "workers", "", sum(job.workers for job in jobs)
    yield "job_runtime_min_ms", "ms", 1000 * min(job.elapsed_s for job in jobs)
    yield "job_runtime_max_ms", "ms", 1000 * max(job.elapsed_s for job in jobs)
    yield "syncs_per_s", "/s", sum(job.syncs for job in jobs) / seconds
    yield from _times("sync", figures.sync)
    yield from _work(jobs, result)
    yield from _levels(figures)
    yield from _latencies(figures)
    yield from _disks(storage.disks)
    yield from _pattern(jobs)
    for name in dict.fromkeys(job.name for job in jobs):
        yield from _of_job(name, figures_of([job for job in jobs if job.name == name], seconds))


def _of_job(name: str, figures: JobFigures) -> Iterator[Found]:
    """Yields the measures of one job, with reads and writes together, under its name."""
    yield f"{name}.iops", "/s", figures.operations / figures.seconds
    yield f"{name}.mib_per_s", "MiB/s", (figures.read.bandwidth + figures.write.bandwidth) / _MIB
    if (found := figures.total.histogram) is not None:
        for one in times_of(WindowTimes(found), f"{name}."):
            yield *one, found.total < fewest_operations(one[0])


def _side(name: str, side: Side) -> Iterator[Found]:
    yield f"{name}_iops", "/s", side.iops
    yield f"{name}_mib_per_s", "MiB/s", side.bandwidth / _MIB
    yield f"{name}_mib", "MiB", side.bytes / _MIB
    yield f"{name}_issued", "", side.operations
    yield f"{name}_short", "", side.short
    if not side.operations:
        return
    yield from _times(name, side.total)
    yield from _times(f"{name}_submit", side.submit)
    yield from _times(f"{name}_completion", side.completion)
    yield from _spread(f"{name}_bandwidth", "MiB/s", side.bandwidth_spread, _MIB)
    yield from _spread(f"{name}_iops", "/s", side.iops_spread)
    yield f"{name}_job_bandwidth_min", "MiB/s", min(side.job_bandwidths) / _MIB
    yield f"{name}_job_bandwidth_max", "MiB/s", max(side.job_bandwidths) / _MIB
    # What fio calls the bandwidth of a job: of each worker alone, over all whole intervals.
    yield from _spread(f"{name}_worker_bandwidth", "MiB/s", side.worker_spread, _MIB)
    if side.worker_spread.samples:
        yield f"{name}_worker_bandwidth_share_pct", "%", 100 * side.worker_spread.mean / side.bandwidth


def _spread(name: str, unit: str, spread: Spread, scale: float = 1) -> Iterator[Found]:
    if spread.samples:
        for what in ("min", "max", "mean", "stdev"):
            yield f"{name}_{what}", unit, getattr(spread, what) / scale


def _times(name: str, times: Times) -> Iterator[Found]:
    if times.histogram is None:
        return
    ranked = times.histogram.percentiles(list(SHARES.values())).tolist()
    values = dict(zip(SHARES, ranked, strict=True))
    values |= {"min": times.min, "mean": times.mean, "stdev": times.stdev, "max": times.max}
    for time in TIMES:
        measure = f"{name}_{time}_ms"
        yield measure, "ms", values[time] / 1e6, False, times.count < fewest_operations(measure)


def _pattern(jobs: Sequence[JobResult]) -> Iterator[Found]:
    """Yields the measures of `innodb-pattern`; nothing for any other load."""
    by_name = {job.name: job for job in jobs}
    redo, pages = by_name.get(REDO), by_name.get(PAGES)
    if redo is None or READS not in by_name:
        return
    yield "commits_per_s", "/s", redo.write.operations / redo.elapsed_s
    wait = {name: value for name, _, value, *_ in _times("write", read_times(redo.write.total))}
    flush = {name: value for name, _, value, *_ in _times("sync", read_times(redo.sync))}
    if redo.syncs >= redo.write.operations - 1:  # one for each commit, which waits for both
        yield "commit_wait_mean_ms", "ms", wait.get("write_mean_ms", 0.0) + flush.get("sync_mean_ms", 0.0)
        few = redo.syncs < fewest_operations("commit_flush_p99_ms")
        yield "commit_flush_p99_ms", "ms", flush.get("sync_p99_ms", 0.0), False, few
    elif wait:
        yield "commit_wait_mean_ms", "ms", wait["write_mean_ms"]
    if pages is not None:
        yield "pages_flushed_per_s", "/s", pages.write.operations / pages.elapsed_s
        flushed = read_times(pages.write.total)
        few = flushed.count < fewest_operations("page_flush_p99_ms")
        for name, _, value, *_ in _times("page", flushed):
            if name == "page_p99_ms":
                yield "page_flush_p99_ms", "ms", value, False, few


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


def _levels(figures: JobFigures) -> Iterator[Found]:
    for name, levels, shares in (
        ("depth", DEPTHS, figures.depths),
        ("submitted", SIZES, figures.submits),
        ("collected", SIZES, figures.collects),
    ):
        if any(shares):
            for level, share in zip(levels, shares, strict=True):
                yield f"{name}_{level}_pct", "%", share


def _latencies(figures: JobFigures) -> Iterator[Found]:
    if not figures.total.count:
        return
    *below, beyond = figures.latencies([edge * 1e6 for edge in LATENCIES_MS])
    for edge, share in zip(LATENCIES_MS, below, strict=True):
        yield f"latency_below_{edge:g}_ms_pct", "%", share
    yield "latency_beyond_pct", "%", beyond


def _disks(disks: Sequence[DiskUse]) -> Iterator[Found]:
    """Yields the measures of the devices beneath the files; utilisation is that of the busiest."""
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
