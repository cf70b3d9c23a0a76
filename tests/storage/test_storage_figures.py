"""Figures of several jobs together are those of everything that they did, never sums or means of figures."""

from __future__ import annotations

from statistics import fmean, pstdev

import pytest
from assay.base.format.event import ThreadUse
from assay.base.tally import decode
from assay.design.folder import Direction, JobResult, Spread
from assay.design.storage.figures import JobFigures, figures_of
from examples import given, settings, st
from hdrh.histogram import HdrHistogram

INTERVAL_MS = 500
NOTHING = Direction(bytes=0, operations=0, short=0, series_bytes=[], series_operations=[])
SERIES = st.lists(st.integers(0, 10**9), min_size=1, max_size=6)


def encode(values_ns: list[int]) -> str:
    histogram = HdrHistogram(1, 3_600_000_000_000, 3)
    for value in values_ns:
        histogram.record_value(value)
    return str(histogram.encode().decode())


def job(
    read: Direction = NOTHING, *, submit_sizes: list[int] | None = None, elapsed_s: float = 2.0
) -> JobResult:
    return JobResult(
        name="a",
        workers=1,
        elapsed_s=elapsed_s,
        interval_ms=INTERVAL_MS,
        depth=1,
        mean_depth=1.0,
        depths=[read.operations, 0, 0, 0, 0, 0, 0],
        submit_sizes=submit_sizes or [0] * 7,
        collect_sizes=[0] * 7,
        syncs=0,
        worker_operations=[read.operations],
        cpu=ThreadUse(user_us=0, system_us=0, switches=0, major_faults=0, minor_faults=0),
        read=read,
        write=NOTHING,
    )


def reads(series: list[int], times_ns: list[int] | None = None) -> Direction:
    times_ns = times_ns or [1000]
    worker = [float(value) for value in series]
    return Direction(
        bytes=sum(series),
        operations=len(times_ns),
        short=0,
        series_bytes=series,
        series_operations=[1] * len(series),
        total=encode(times_ns),
        worker_bytes=Spread(
            samples=len(worker), min=min(worker), max=max(worker), mean=fmean(worker), stdev=pstdev(worker)
        ),
    )


@settings(max_examples=60)
@given(st.lists(SERIES, min_size=1, max_size=4))
def test_spreads_are_of_all_samples(each: list[list[int]]) -> None:
    side = figures_of([job(reads(series)) for series in each], 2.0).read
    alone = [value / 0.5 for series in each for value in series]
    spread = side.worker_spread
    assert (spread.samples, spread.min, spread.max) == (len(alone), min(alone), max(alone))
    assert spread.mean == pytest.approx(fmean(alone))
    assert spread.stdev == pytest.approx(pstdev(alone), abs=1e-6 * max(alone) + 1e-9)
    together = [sum(values) / 0.5 for values in zip(*each, strict=False)]
    if any(together):
        assert side.bandwidth_spread.mean == pytest.approx(fmean(together))
        assert side.bandwidth_spread.max == max(together)
    else:
        assert side.bandwidth_spread.samples == 0


@settings(max_examples=40)
@given(st.lists(st.lists(st.integers(1, 10**9), min_size=1, max_size=20), min_size=1, max_size=3))
def test_times_are_of_all_operations(each: list[list[int]]) -> None:
    figures = figures_of([job(reads([1], times)) for times in each], 2.0)
    whole = decode(encode([value for times in each for value in times]))
    assert figures.total.count == whole.total
    assert figures.total.at(95) == whole.percentile(0.95)
    assert figures.read.total.max == whole.max


def test_a_job_alone_and_with_one_that_did_nothing() -> None:
    """Its own rate is over its own time, the rate of both over the window."""
    one = job(reads([4096, 4096], [1000, 3000]), elapsed_s=1.0)
    alone, both = figures_of([one], one.elapsed_s), figures_of([one, job()], 2.0)
    assert (alone.read.iops, alone.read.bandwidth) == (2.0, 8192.0)
    assert (both.read.iops, both.read.bandwidth) == (1.0, 4096.0)
    assert both.read.job_bandwidths == alone.read.job_bandwidths == (8192.0,)
    assert both.read.total.percentiles == alone.read.total.percentiles
    assert both.write.total.count == 0


def test_calls_of_jobs_that_do_everything_in_one_are_calls_of_one() -> None:
    batches = [0, 0, 3, 0, 0, 0, 0]

    def submits(*jobs: JobResult) -> list[float]:
        figures: JobFigures = figures_of(jobs, 2.0)
        return figures.submits

    assert submits(job(reads([1]))) == [0, 100, 0, 0, 0, 0, 0]
    assert submits(job(reads([1]), submit_sizes=batches)) == [0, 0, 100, 0, 0, 0, 0]
    assert submits(job(reads([1])), job(reads([1]), submit_sizes=batches)) == [0, 25, 75, 0, 0, 0, 0]
    assert submits(job()) == [0] * 7
