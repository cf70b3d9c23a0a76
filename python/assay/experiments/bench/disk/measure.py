"""Measures one disk: loads in blocks, their figures by block, and what disturbed them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from assay.base.errors import AssayError, InputError, Interrupted
from assay.design.folder import Event, PhaseStart, RunResult
from assay.design.folder.others import others_between
from assay.design.storage import JobFigures, Times, figures_of, read_times
from assay.experiments.bench.disk.loads import BLOCKS, Files, Stage, stages_of
from assay.experiments.bench.disk.place import FlushCounts, doubts_of_place, facts_of, place_of
from assay.experiments.bench.disk.scratch import scratch
from assay.experiments.bench.progress import StorageProgress
from assay.experiments.bench.storage import StageOutcome, carry_out
from assay.results.advice import (
    Course,
    DiskDoubt,
    DiskLoad,
    DiskMeasured,
    Flushes,
    LoadMeasured,
    TimesSeen,
)
from assay.system.engine import Interrupts
from assay.system.host import Machine, others, others_measuring

SIZE = 1 << 30
_OTHERS_IO = 1.25
"""Bytes that a disk moved, as a multiple of those of the load, from which on others used it as well."""
_SMALL = 512 << 20
"""Bytes of a file that the cache of a disk or of its controller may hold."""


def measure_disk(
    directory: Path, seconds: float, progress: DiskProgress, *, size: int = SIZE
) -> DiskMeasured:
    """Measures the disk under a directory in about so many seconds, with a file of `size` bytes, and returns
    what was measured, also after Ctrl-C. The files are removed on every way out.

    Raises InputError for a directory that is in memory or cannot be used, HostError where there is too little
    room, and the error of the first load when none was measured.
    """
    if not directory.is_dir():
        raise InputError(f"{directory}: there is no such directory", hint="name the directory of the data")
    machine, began = Machine(), datetime.now(UTC)
    facts = facts_of(directory, machine)
    place = place_of(directory.resolve(), facts, machine)
    beside, source, clock = others_measuring(), others(), time.monotonic()
    before = source.read()
    with Interrupts(), scratch(directory, size) as files:
        stages = stages_of(files, seconds)
        watch = _Watch(progress, stages, FlushCounts(directory, machine))
        outcomes, interrupted = carry_out([one.job for one in stages], watch, command="assay disk")
        loads = _loads(stages, outcomes)
        course = _course(stages, outcomes)
        direct = files.direct
    error = next((one.error for one in outcomes if one.error is not None), None)
    if error is not None and not loads:
        raise error
    if interrupted and not loads:
        raise Interrupted("Interrupted before anything was measured.")
    seen = others_between(before, source.read())
    doubts = [*doubts_of_place(place, facts, direct=direct), *_doubts(stages, outcomes, files, error)]
    if beside:
        doubts.append(DiskDoubt("other-measurement", "warning", {"which": beside[0]}))
    if seen is not None and seen.disturb:
        percent, programs = round(100 * seen.share), seen.named or "–"
        doubts.append(DiskDoubt("other-programs", "warning", {"percent": percent, "programs": programs}))
    return DiskMeasured(
        place=place,
        began=began.isoformat(timespec="seconds"),
        took_s=time.monotonic() - clock,
        planned=BLOCKS,
        file_bytes=files.pages_bytes,
        direct=direct,
        loads=loads,
        course=course,
        flushes=watch.flushes,
        doubts=tuple(doubts),
        interrupted=interrupted,
    )


class DiskProgress(StorageProgress, Protocol):
    """Receives the progress of the measurement of a disk."""

    def load(self, load: DiskLoad | None, block: int, left_s: float) -> None:
        """Reports that a load of a block begins, or with None the long window, and the time to go."""


class _Watch:
    """Hands events on to the display, and counts flushes at the ends of the windows of logs."""

    def __init__(self, progress: DiskProgress, stages: Sequence[Stage], counts: FlushCounts) -> None:
        self._progress, self._stages, self._counts = progress, stages, counts
        self._is_log = False
        self._before: list[int] | None = None
        self._syncs = self._flushes = 0

    @property
    def flushes(self) -> Flushes | None:
        """The counts of all windows; None where the kernel has none."""
        return Flushes(self._syncs, self._flushes) if self._syncs else None

    def note(self, message: str) -> None:
        self._progress.note(message)

    def stage(self, number: int, of: int) -> None:
        stage = self._stages[number - 1]
        load, left = stage.load, self._stages[number - 1 :]
        self._progress.load(load, stage.block, sum(one.seconds for one in left))
        self._is_log = load is not None and load.kind == "log"
        self._before = None
        self._progress.stage(number, of)

    def event(self, event: Event) -> None:
        if self._is_log and isinstance(event, PhaseStart) and event.phase == "measure":
            self._before = self._counts.read()
        elif isinstance(event, RunResult) and self._before is not None:
            self._count(event, self._before)
        self._progress.event(event)

    def _count(self, result: RunResult, before: list[int]) -> None:
        """Adds the syncs of a window and the flushes since it began; those of its first moment may be
        missing, until the event has arrived.
        """
        after = self._counts.read()
        if after is not None and result.storage is not None:
            self._syncs += sum(job.syncs for job in result.storage.jobs)
            self._flushes += min(last - first for first, last in zip(before, after, strict=True))


@dataclass
class _Gathered:
    rates: list[float] = field(default_factory=list)
    means_us: list[float] = field(default_factory=list)
    times: list[str | None] = field(default_factory=list)


def _figures(outcome: StageOutcome, group: int) -> JobFigures | None:
    """Returns the figures of a group of a stage that ended as planned; None for one that did not."""
    result = outcome.result
    if result is None or result.storage is None or not result.complete:
        return None
    jobs = [job for job in result.storage.jobs if job.group == group]
    return figures_of(jobs, jobs[0].elapsed_s) if jobs else None


def _loads(stages: Sequence[Stage], outcomes: Sequence[StageOutcome]) -> tuple[LoadMeasured, ...]:
    found: dict[DiskLoad, _Gathered] = {}
    for stage, outcome in zip(stages, outcomes, strict=False):
        if stage.load is None or (figures := _figures(outcome, int(stage.load.kind == "log"))) is None:
            continue
        gathered = found.setdefault(stage.load, _Gathered())
        if stage.load.kind == "log":
            count, times = figures.sync.count, figures.sync
            gathered.times += [job.sync for job in figures.jobs]
        else:
            side = figures.side(stage.load.kind)
            count, times = side.operations, side.total
            sides = [job.read if stage.load.kind == "read" else job.write for job in figures.jobs]
            gathered.times += [side.total for side in sides]
        gathered.rates.append(count / figures.seconds if figures.seconds else 0.0)
        gathered.means_us.append(times.mean / 1e3)
    return tuple(
        LoadMeasured(load, tuple(one.rates), tuple(one.means_us), _seen(read_times(*one.times)))
        for load, one in found.items()
    )


def _seen(times: Times) -> TimesSeen:
    if not times.count:
        return TimesSeen()
    p50, p99, p999 = (times.at(share) / 1e3 for share in (50, 99, 99.9))
    return TimesSeen(times.count, times.mean / 1e3, p50, p99, p999, times.max / 1e3)


def _course(stages: Sequence[Stage], outcomes: Sequence[StageOutcome]) -> Course | None:
    for stage, outcome in zip(stages, outcomes, strict=False):
        if stage.load is None:
            pages, log = _figures(outcome, 0), _figures(outcome, 1)
            if pages is None or log is None:
                return None
            interval_s = pages.jobs[0].interval_ms / 1000
            return Course(
                interval_s,
                _series([job.write.series_operations for job in pages.jobs], interval_s),
                _series([job.write.series_operations for job in log.jobs], interval_s),
                _seen(log.sync),
            )
    return None


def _series(series: Sequence[Sequence[int]], interval_s: float) -> tuple[float, ...]:
    return tuple(sum(counts) / interval_s for counts in zip(*series, strict=False))


def _doubts(
    stages: Sequence[Stage], outcomes: Sequence[StageOutcome], files: Files, error: AssayError | None
) -> Sequence[DiskDoubt]:
    found = []
    if files.pages_bytes < _SMALL:
        found.append(DiskDoubt("small-file", "note", {"mib": files.pages_bytes >> 20}))
    if error is not None:
        found.append(DiskDoubt("broken-off", "warning", {"error": error.message}))
    moved = asked = 0
    for stage, outcome in zip(stages, outcomes, strict=False):
        result = outcome.result
        if stage.load is None or stage.load.kind == "log" or result is None or result.storage is None:
            continue
        if len(result.storage.disks) == 1:
            (disk,) = result.storage.disks
            moved += disk.read.bytes + disk.write.bytes
            asked += sum(job.read.bytes + job.write.bytes for job in result.storage.jobs)
    if files.direct and asked and moved > _OTHERS_IO * asked:
        found.append(DiskDoubt("other-io", "warning", {"percent": round(100 * (moved / asked - 1))}))
    kinds = dict.fromkeys(doubt["kind"] for outcome in outcomes for doubt in outcome.doubts)
    found += [DiskDoubt("of-the-engine", "note", {"of": kind}) for kind in kinds]
    return found
