"""Plans the loads of `assay disk`: several blocks of short windows, and one long one, within a given time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.base.format.job import (
    Access,
    DiskJob,
    FixedWarmup,
    Io,
    Phases,
    StorageJob,
    SyncEach,
    UniformDistribution,
)
from assay.results.advice import COMMIT, PAGE, DiskLoad

BLOCKS = 6
"""Blocks, each with every load once: as many as a verdict at 95 % needs."""
_DEPTHS = (1, 4, 16, 32)
_APPENDS = (COMMIT, 4096, PAGE)
_WHOLE = (
    *(DiskLoad("log", size) for size in _APPENDS),
    *(DiskLoad("read", PAGE, depth) for depth in _DEPTHS),
    *(DiskLoad("write", PAGE, depth) for depth in _DEPTHS),
)
_ENDS = (
    *(DiskLoad("log", size) for size in (COMMIT, PAGE)),
    *(DiskLoad("read", PAGE, depth) for depth in (1, 32)),
    DiskLoad("write", PAGE, 32),
)
_WHOLE_FROM_S = 20.0
"""Time from which on every load has its place; a shorter measurement has the ends of each ladder."""
_COURSE_SHARE, _WINDOWS_SHARE = 0.2, 0.75
"""Shares of the time for the long window and for the short ones; the rest goes to starts and ends."""
_WARMUP_SHARE = 0.1
_LEAST_WINDOW_S = 0.02
_COURSE_DEPTH = 8
_INTERVALS = 20
"""Intervals that the long window has at least, of a second at most."""


@dataclass(frozen=True)
class Stage:
    """One job of the engine: a load in a block, or without one the long window."""

    job: DiskJob
    load: DiskLoad | None
    block: int

    @property
    def seconds(self) -> float:
        """The planned length, with the warm-up."""
        phases = self.job.phases
        warmup = phases.warmup.duration_ms if isinstance(phases.warmup, FixedWarmup) else 0
        return (warmup + phases.measure_ms) / 1000


@dataclass(frozen=True)
class Files:
    """The files under load: pages, and the log, each of so many bytes; `direct` passes the page cache."""

    pages: Path
    log: Path
    pages_bytes: int
    log_bytes: int
    direct: bool


def stages_of(files: Files, seconds: float) -> Sequence[Stage]:
    """Returns the jobs in order. Each block has every load once, and begins with another one; the first job
    makes the files before its window.
    """
    loads = _WHOLE if seconds >= _WHOLE_FROM_S else _ENDS
    window_s = max(seconds * _WINDOWS_SHARE / (BLOCKS * len(loads)), _LEAST_WINDOW_S)
    stages = []
    for block in range(BLOCKS):
        first = block * len(loads) // BLOCKS
        for load in (*loads[first:], *loads[:first]):
            stages.append(Stage(_alone(files, load, window_s, block), load, block))
    return [*stages, Stage(_course(files, seconds * _COURSE_SHARE), None, 0)]


def _alone(files: Files, load: DiskLoad, window_s: float, block: int) -> DiskJob:
    one = _log(files, load.block_bytes) if load.kind == "log" else _pages(files, load)
    return _job([one], window_s, seed=block)


def _course(files: Files, window_s: float) -> DiskJob:
    writes = _pages(files, DiskLoad("write", PAGE, _COURSE_DEPTH))
    return _job([writes, _log(files, COMMIT)], window_s, seed=BLOCKS)


def _job(jobs: list[StorageJob], window_s: float, *, seed: int) -> DiskJob:
    whole_ms = max(round(window_s * 1000), 20)
    warmup_ms = max(round(whole_ms * _WARMUP_SHARE), 1)
    phases = Phases(
        warmup=FixedWarmup(duration_ms=warmup_ms),
        measure_ms=whole_ms - warmup_ms,
        interval_ms=min(max(whole_ms // _INTERVALS, 10), 1000),
    )
    return DiskJob(action="storage", phases=phases, seed=seed, storage=jobs, version=1)


def _log(files: Files, append_bytes: int) -> StorageJob:
    """Returns appends to a log that exists and is overwritten in a circle, as InnoDB's is."""
    return StorageJob(
        name="log",
        access=Access(
            order="sequential", read_blocks=append_bytes, write_blocks=append_bytes, read_share=0.0
        ),
        file_bytes=files.log_bytes,
        files=[str(files.log)],
        fill=True,
        group=1,
        invalidate=False,  # as a server's log: what is overwritten is not read again first
        io=Io(kind="psync"),
        repeat=True,
        sync=SyncEach(kind="fdatasync", writes=1),
    )


def _pages(files: Files, load: DiskLoad) -> StorageJob:
    """Returns random reads or writes of pages. Without O_DIRECT no call leaves an operation in flight, so
    that each has a worker.
    """
    queued = files.direct and load.depth > 1
    return StorageJob(
        name="pages",
        access=Access(
            distribution=UniformDistribution(),
            order="random",
            read_blocks=load.block_bytes,
            write_blocks=load.block_bytes,
            read_share=1.0 if load.kind == "read" else 0.0,
        ),
        clones=1 if queued else load.depth,
        depth=load.depth if queued else 1,
        file_bytes=files.pages_bytes,
        files=[str(files.pages)],
        fill=True,
        group=0,
        io=Io(kind="libaio" if queued else "psync", direct=files.direct),
        repeat=True,
    )
