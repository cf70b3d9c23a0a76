"""Computes the rates, spreads and shares of loads on storage from the engine's results, for every form of
output.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import sqrt
from statistics import fmean, pstdev

from assay.design.folder import Direction, JobResult, Spread
from assay.design.storage.times import NOTHING, Times, read_times


@dataclass(frozen=True)
class Side:
    """Figures of the reads, or of the writes, of some jobs together. Rates are per second.

    `bandwidth_spread` and `iops_spread` are over the whole intervals of the window, `worker_spread` is the
    bandwidth of each worker alone. `job_bandwidths`: of each job that moved anything, over its own time.
    """

    operations: int = 0
    bytes: int = 0
    short: int = 0
    iops: float = 0.0
    bandwidth: float = 0.0
    submit: Times = NOTHING
    completion: Times = NOTHING
    total: Times = NOTHING
    bandwidth_spread: Spread = field(default_factory=Spread)
    iops_spread: Spread = field(default_factory=Spread)
    worker_spread: Spread = field(default_factory=Spread)
    job_bandwidths: tuple[float, ...] = ()


@dataclass(frozen=True)
class JobFigures:
    """Figures of jobs that ran over the same `seconds`; one line of fio's report is one job."""

    jobs: tuple[JobResult, ...]
    seconds: float
    read: Side
    write: Side
    sync: Times

    @property
    def job(self) -> JobResult:
        """The job, when the figures are those of exactly one."""
        (job,) = self.jobs
        return job

    def side(self, direction: str) -> Side:
        """Returns the figures of reads (`read`) or of writes (`write`)."""
        return self.read if direction == "read" else self.write

    @property
    def operations(self) -> int:
        """Number of reads and writes together."""
        return self.read.operations + self.write.operations

    @property
    def depths(self) -> list[float]:
        """Returns the percentage of operations that started at each queue depth, from each listed level up to
        the next.
        """
        return _shares(self._levels(lambda job: job.depths))

    @property
    def submits(self) -> list[float]:
        """Returns the percentage of submitting calls by the number of operations they handed over, up to each
        listed level.
        """
        return _shares(self._calls(lambda job: job.submit_sizes))

    @property
    def collects(self) -> list[float]:
        """Returns the percentage of collecting calls by the number of operations they returned, up to each
        listed level.
        """
        return _shares(self._calls(lambda job: job.collect_sizes))

    def latencies(self, edges_ns: Sequence[float]) -> list[float]:
        """Returns the percentage of reads and writes between consecutive edges of latency, in nanoseconds;
        the last value is for those beyond the last edge.
        """
        return [100 * share for share in self.total.shares(edges_ns)]

    @property
    def total(self) -> Times:
        """Times of all reads and writes, each from its start to its end."""
        return read_times(*(side.total for job in self.jobs for side in (job.read, job.write)))

    def _levels(self, of: Callable[[JobResult], Sequence[int]]) -> list[int]:
        return [sum(column) for column in zip(*map(of, self.jobs), strict=True)]

    def _calls(self, of: Callable[[JobResult], Sequence[int]]) -> list[int]:
        """Returns counts of calls by size; an I/O engine without separate calls hands over and collects one
        operation a call.
        """

        def sizes(job: JobResult) -> Sequence[int]:
            counts = of(job)
            return counts if any(counts) else _each_alone(job)

        return self._levels(sizes)


def figures_of(jobs: Sequence[JobResult], seconds: float) -> JobFigures:
    """Returns the figures of these jobs together, with rates over `seconds`."""
    return JobFigures(
        tuple(jobs),
        seconds,
        _side(jobs, [job.read for job in jobs], seconds),
        _side(jobs, [job.write for job in jobs], seconds),
        read_times(*(job.sync for job in jobs)),
    )


def _each_alone(job: JobResult) -> list[int]:
    return [0, job.read.operations + job.write.operations, 0, 0, 0, 0, 0]


def _shares(counts: Sequence[int]) -> list[float]:
    total = sum(counts) or 1
    return [100 * count / total for count in counts]


def _side(jobs: Sequence[JobResult], sides: Sequence[Direction], seconds: float) -> Side:
    operations, moved = sum(side.operations for side in sides), sum(side.bytes for side in sides)
    lasting_s, interval_s = seconds or 1e-9, jobs[0].interval_ms / 1000
    workers = [side.worker_bytes for side in sides if side.worker_bytes is not None]
    return Side(
        operations=operations,
        bytes=moved,
        short=sum(side.short for side in sides),
        iops=operations / lasting_s,
        bandwidth=moved / lasting_s,
        submit=read_times(*(side.submit for side in sides)),
        # Where one call does everything, all of the time is the completion's, as fio has it.
        completion=read_times(*(side.completion or side.total for side in sides)),
        total=read_times(*(side.total for side in sides)),
        bandwidth_spread=_spread([side.series_bytes for side in sides], interval_s),
        iops_spread=_spread([side.series_operations for side in sides], interval_s),
        worker_spread=_pooled(workers, interval_s),
        job_bandwidths=tuple(
            side.bytes / (job.elapsed_s or 1e-9)
            for side, job in zip(sides, jobs, strict=True)
            if side.operations
        ),
    )


def _spread(series: Sequence[Sequence[int]], interval_s: float) -> Spread:
    """Returns the spread of rates per second, over the intervals that all series have; empty where all counts
    are 0.
    """
    values = [sum(counts) / interval_s for counts in zip(*series, strict=False)]
    if not any(values):
        return Spread()
    return Spread(
        samples=len(values), min=min(values), max=max(values), mean=fmean(values), stdev=pstdev(values)
    )


def _pooled(spreads: Sequence[Spread], interval_s: float) -> Spread:
    """Returns the spread of rates per second over the samples of all spreads together."""
    samples = sum(spread.samples for spread in spreads)
    if not samples:
        return Spread()
    mean = sum(spread.mean * spread.samples for spread in spreads) / samples
    squares = sum(spread.samples * (spread.stdev**2 + (spread.mean - mean) ** 2) for spread in spreads)
    return Spread(
        samples=samples,
        min=min(spread.min for spread in spreads) / interval_s,
        max=max(spread.max for spread in spreads) / interval_s,
        mean=mean / interval_s,
        stdev=sqrt(squares / samples) / interval_s,
    )
